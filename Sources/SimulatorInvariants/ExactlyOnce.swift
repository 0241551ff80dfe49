public import SimulatorCore

extension Invariant {
  /// A task that waits for a callback in an async function is resumed exactly once: not zero times, and not twice.
  ///
  /// The race: a cancel and the callback come together, and both resume the task; or each leaves it to the other.
  ///
  /// ```swift
  /// try await withTaskCancellationHandler {
  ///   try await withUnsafeThrowingContinuation { continuation in
  ///     request = camera.focus { continuation.resume(with: $0) }   // called back with the cancel
  ///   }
  /// } onCancel: {
  ///   Task { await cancelRequest() }                               // cancels, and resumes as well
  /// }
  /// ```
  ///
  /// An action that has not ended when the execution does was never resumed, whether it was canceled or not. Any
  /// continuation that is resumed again counts as resumed twice. A *checked* continuation traps in that case, which
  /// ends the process: code that breaks this invariant uses an unsafe one.
  ///
  /// - Parameter actions: The actions that wait; none for all of them.
  public static func exactlyOnce(_ actions: String...) -> Invariant {
    Invariant("exactly-once", exactlyOnceSummary) { ResumedExactlyOnce(actions: actions) }
  }

  /// A caller that passed a completion handler is called back exactly once: not zero times, and not twice.
  ///
  /// The race: two callbacks each check whether the other has come; both find that it has, or neither does.
  ///
  /// ```swift
  /// var parts = await box.parts      // the other callback copies out the same
  /// parts.feed = feed
  /// await box.set(parts)             // and overwrites it
  /// if parts.isComplete { completion(parts) }
  /// ```
  ///
  /// - Parameter counts: The observed value that counts the calls of each completion handler: a list with a number for
  ///   each, in the order in which they were passed.
  public static func exactlyOnce(counting counts: String) -> Invariant {
    Invariant("exactly-once", exactlyOnceSummary) { CalledExactlyOnce(counts: counts) }
  }

  private static let exactlyOnceSummary = "Whoever waits goes on exactly once: not never, and not twice."
}

private struct ResumedExactlyOnce: Invariant.Monitor {
  let actions: [String]
  private var waiting: [Trace.Action: VirtualInstant] = [:]
  private(set) var judged = false
  private(set) var diagnosis: Invariant.Diagnosis?

  init(actions: [String]) {
    self.actions = actions
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .actionBegan(let action) where actions.isEmpty || actions.contains(action.name):
      judged = true
      waiting[action] = event.time
    case .actionEnded(let action, _): waiting[action] = nil
    case .resumedTwice(let task):
      diagnosis = .completedTwice
      return "at \(event.time) a continuation of \(task) was resumed a second time"
    default: break
    }
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard let (action, since) = waiting.min(by: { $0.key.label < $1.key.label }) else { return nil }
    diagnosis = .neverAnswered
    return "\(action.label) has waited since \(since) and was not resumed by \(end)"
  }
}

private struct CalledExactlyOnce: Invariant.Monitor {
  let counts: String
  private var called: [Trace.Value] = []
  private(set) var diagnosis: Invariant.Diagnosis?

  init(counts: String) {
    self.counts = counts
  }

  var judged: Bool { !called.isEmpty }

  /// O(completions) when a count has changed.
  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .changed(counts, _, let to) = event.kind, let called = to.elements else { return nil }
    defer { self.called = called }
    guard let number = called.firstIndex(where: { $0.isMoreThanOnce }),
      number >= self.called.count || self.called[number] != called[number]
    else { return nil }
    diagnosis = .completedTwice
    return "completion \(number + 1) was called again at \(event.time): \(called[number]) times"
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard let number = called.firstIndex(of: 0) else { return nil }
    diagnosis = .neverAnswered
    return "completion \(number + 1) was not called by \(end)"
  }
}

extension Trace.Value {
  fileprivate var isMoreThanOnce: Bool {
    if case .int(let count) = self { count > 1 } else { false }
  }
}
