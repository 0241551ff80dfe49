public import SimulatorCore

extension Invariant {
  /// The objects of a screen that the user has left are freed by the end.
  ///
  /// The race: a loop that belongs to an object keeps that object alive, so nothing ever ends the loop.
  ///
  /// ```swift
  /// init(commands: AsyncStream<Command>) {
  ///   loop = Task { for await command in commands { handle(command) } }   // retains self
  /// }
  /// deinit { loop?.cancel() }                                             // and so never comes to this
  /// ```
  ///
  /// The objects are observed weakly and show nothing once they are gone:
  ///
  /// ```swift
  /// simulation.observe("executor") { [weak executor] in executor == nil ? .none : "alive" }
  /// ```
  ///
  /// The trace must show that they were alive: by a change from nothing, or by the change to nothing.
  ///
  /// - Parameters:
  ///   - objects: The observed values.
  ///   - owner: The owner whose dismissal releases them; nil for any owner.
  ///   - bound: The time after which they must be gone; nil for by the end.
  public static func freed(
    _ objects: String..., by owner: String? = nil, within bound: Duration? = nil
  ) -> Invariant {
    Invariant("freed", "What the user has left is freed.", diagnosis: .outlivedOwner) {
      Freed(objects: objects, owner: owner, bound: bound)
    }
  }
}

private struct Freed: Invariant.Monitor {
  let objects: [String]
  let owner: String?
  let bound: Duration?
  private var alive: Set<String> = []
  private var left: VirtualInstant?
  private var hasSeenAny = false

  init(objects: [String], owner: String?, bound: Duration?) {
    self.objects = objects
    self.owner = owner
    self.bound = bound
  }

  var judged: Bool { left != nil && hasSeenAny }

  mutating func saw(_ event: Trace.Event) -> String? {
    // Judged before the event takes effect: until then, nothing has changed.
    if let left, let bound, event.time > left.advanced(by: bound),
      let problem = stillAlive(at: event.time, left)
    {
      return problem
    }
    switch event.kind {
    case .dismissed(let owner) where self.owner == nil || owner == self.owner: left = left ?? event.time
    case .changed(let name, let from, let to) where objects.contains(name):
      hasSeenAny = hasSeenAny || from != .none || to != .none
      if to == .none { alive.remove(name) } else { alive.insert(name) }
    default: break
    }
    return nil
  }

  mutating func cutOff(_ end: VirtualInstant) -> String? {
    guard let left, let bound, end > left.advanced(by: bound) else { return nil }
    return stillAlive(at: end, left)
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    left.flatMap { stillAlive(at: end, $0) }
  }

  private func stillAlive(at time: VirtualInstant, _ left: VirtualInstant) -> String? {
    objects.first(where: alive.contains)
      .map { "the user left at \(left), and at \(time) \($0) is still alive" }
  }
}
