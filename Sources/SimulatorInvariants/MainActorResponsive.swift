public import SimulatorCore

extension Invariant {
  /// Work that takes time never keeps the main actor busy for longer than `bound`: it draws every frame.
  ///
  /// The race: `await` is mistaken for a change of executor, and the heavy work is done where it was called.
  ///
  /// ```swift
  /// @MainActor func show(_ data: Data) async throws {
  ///   feed = try await decoder.decode(data)   // 300 ms, in which nobody scrolls
  /// }
  /// ```
  ///
  /// Work costs time by `spend`, or by the `spend` of a fake's behavior. Consecutive work of the same task counts as
  /// one piece if the task does not release the main actor in between.
  ///
  /// - Parameter bound: The time that it may be busy, such as 16 ms for a frame.
  public static func mainActorResponsive(within bound: Duration) -> Invariant {
    Invariant.refuseNegative(bound, "main-actor-responsive")
    return Invariant(
      "main-actor-responsive", "The main actor is never closed for longer than the bound.",
      diagnosis: .closedTooLong
    ) {
      MainActorResponsive(bound: bound)
    }
  }
}

private struct MainActorResponsive: Invariant.Monitor {
  /// A period in which no other task had a turn on the main actor.
  private struct Stretch {
    let task: Int?
    let since: VirtualInstant
    var until: VirtualInstant
    /// True if its task has taken a step since.
    var isOver = false
  }

  let bound: Duration
  private var stretch: Stretch?
  private(set) var judged = false

  init(bound: Duration) {
    self.bound = bound
  }

  var wantsSteps: Bool { true }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .step where event.isOnMainActor: took(event)
    case .spent(let length):
      judged = true
      guard event.isOnMainActor else { return nil }
      return spent(length, event)
    default: break
    }
    return nil
  }

  /// The first step after the work belongs to its own task. By the second, other tasks have had their turn.
  private mutating func took(_ event: Trace.Event) {
    guard let stretch, !stretch.isOver, stretch.task == event.task else { return self.stretch = nil }
    self.stretch?.isOver = true
  }

  private mutating func spent(_ length: Duration, _ event: Trace.Event) -> String? {
    var stretch = stretch ?? Stretch(task: event.task, since: event.time, until: event.time)
    stretch.until = event.time.advanced(by: length)
    stretch.isOver = false
    self.stretch = stretch
    let closed = stretch.since.duration(to: stretch.until)
    guard closed > bound else { return nil }
    return
      "from \(stretch.since) on the main actor was closed for \(closed.shortText), longer than \(bound.shortText)"
  }
}
