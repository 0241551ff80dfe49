public import SimulatorCore

extension Invariant {
  /// The screen never goes back from a newer answer to an older one, and shows the newest in the end.
  ///
  /// The race: two requests overlap, and the reply to the older one comes last and overwrites that to the newer one.
  ///
  /// ```swift
  /// func refresh() async throws { letters = try await network.letters() }   // twice; the slower one wins
  /// ```
  ///
  /// An answer is newer if its request was made later. The screen's value identifies the answer, so different answers
  /// must have different values; two equal ones count as the newer. An answer is not owed if its requester was
  /// canceled, if a newer request has failed, or if after it something failed, the user left, or an action that was
  /// still under way was canceled. It is not owed either if the program then cancels a task that may have had the
  /// answer in hand, or waited for it. A task did not if it has slept, or waited for a fake, since before the answer
  /// came, unless it, or a task that it made, requested the answer, or it changed the screen before. When another
  /// operation fails, such as a save, the screen may go back to what it showed before. If the screen changes in the
  /// step in which an action begins, the user caused the change, and it counts as no answer.
  ///
  /// - Parameters:
  ///   - operation: The operation that is requested: `GET /inbox`.
  ///   - screen: The observed value that shows the answer.
  ///   - part: The part of it that shows the answer, if it is a record.
  ///   - phase: The part of it that reports a failure; it must not report that of an older request while it shows a
  ///     newer answer. Nil if failures are not judged.
  ///   - failed: The value of that part on failure.
  ///   - others: Further observed values that show or keep the whole answer, such as a server.
  ///   - shown: Returns an answer as the screen shows it.
  public static func latestWins(
    _ operation: String, on screen: String, _ part: String? = nil, failing phase: String? = nil,
    as failed: Trace.Value = "failed", alsoOn others: String...,
    showing shown: @escaping @Sendable (Trace.Value) -> Trace.Value = { $0 }
  ) -> Invariant {
    latestWins(operation, on: screen, part, failing: phase, as: failed, alsoOnAny: others, showing: shown)
  }

  package static func latestWins(
    _ operation: String, on screen: String, _ part: String?, failing phase: String?, as failed: Trace.Value,
    alsoOnAny others: [String], showing shown: @escaping @Sendable (Trace.Value) -> Trace.Value
  ) -> Invariant {
    Invariant(
      "latest-wins", "The screen shows the answer to the latest request, and never goes back.",
      diagnosis: .staleOverNewer
    ) {
      LatestWins(
        operation: operation, screen: screen, part: part, phase: phase, failed: failed, others: others,
        asShown: shown)
    }
  }
}

private struct LatestWins: TaskMonitor {
  private struct Answer {
    let id: Int
    let value: Trace.Value
    /// The task that requested it, and when it came.
    var task: Int?
    var time = VirtualInstant.start
  }

  let operation: String
  let screen: String
  let part: String?
  let phase: String?
  let failed: Trace.Value
  let others: [String]
  let asShown: @Sendable (Trace.Value) -> Trace.Value
  private var answers: [Trace.Value: Int] = [:]
  private var givenUp: Set<Int> = []
  /// The newest answer that was still wanted, unless something has gone wrong since.
  private var owed: Answer?
  private var shown: [String: Answer] = [:]
  /// The value that each place holds now, whether an answer or not.
  private var held: [String: Trace.Value] = [:]
  /// The newest request that was still wanted and that has been answered or has failed.
  private var newest = 0
  private var lastAsked = 0
  /// The step in which the last action began.
  private var actionStep = -1
  /// The newest request that failed and whose failure the screen has not shown.
  private var newestFailed: Int?
  private var activity = Activity()
  /// The tasks that have changed the values that show or keep the answers.
  private var showers: Set<Int> = []
  private var cancelled: Set<Int> = []
  /// The calls of other operations that are under way, each with the task that made it.
  private var otherCalls: [Int: Int] = [:]
  /// Those calls whose cancel has nothing to do with the answer that is owed.
  private var beside: Set<Int> = []
  private(set) var judged = false

  init(
    operation: String, screen: String, part: String?, phase: String?, failed: Trace.Value, others: [String],
    asShown: @escaping @Sendable (Trace.Value) -> Trace.Value
  ) {
    self.operation = operation
    self.screen = screen
    self.part = part
    self.phase = phase
    self.failed = failed
    self.others = others
    self.asShown = asShown
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    activity.saw(event)
    noteTasks(event)
    switch event.kind {
    case .actionBegan: actionStep = event.step
    case .began(let call) where call.operation == operation:
      lastAsked = call.id
      if call.requesterWasCancelled { givenUp.insert(call.id) }
    case .cancellation(let call, _):
      givenUp.insert(call.id)
      if call.operation == operation, let owed, owed.id < call.id { self.owed = nil }
    case .ended(let call, .returned(let value)) where call.operation == operation:
      answered(call, Answer(id: call.id, value: asShown(value), task: event.task, time: event.time))
    case .ended(let call, .threw):
      if call.operation == operation, !givenUp.contains(call.id) { newest = max(newest, call.id) }
      gaveNothing(call)
    case .ended(let call, .cancelled): if beside.remove(call.id) == nil { gaveNothing(call) }
    case .cancelled(let action) where activity.isUnderWay(action): owed = nil
    case .dismissed, .taskCancelled(nil): owed = nil
    case .changed(screen, let from, let to):
      return showedFailure(from, to) ?? showed(part.flatMap { to[$0] } ?? to, on: screen, event.step)
    case .changed(let other, _, let to) where others.contains(other): return showed(to, on: other, event.step)
    default: break
    }
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard let owed else { return nil }
    for place in [screen] + others {
      guard let shown = shown[place], shown.id < owed.id, held[place] != owed.value else { continue }
      return "the latest request brought \(owed.value), but in the end \(place) shows \(shown.value), "
        + "which an older one brought"
    }
    return nil
  }

  private mutating func answered(_ call: Trace.Call, _ answer: Answer) {
    answers[answer.value] = max(call.id, answers[answer.value] ?? 0)
    guard call.id > newest, !givenUp.contains(call.id) else { return }
    newest = call.id
    owed = answer
  }

  private mutating func gaveNothing(_ call: Trace.Call) {
    owed = nil
    if call.operation == operation {
      newestFailed = max(call.id, newestFailed ?? 0)
    } else {
      shown = [:]
    }
  }

  private mutating func showed(_ value: Trace.Value, on place: String, _ step: Int) -> String? {
    held[place] = value
    if step == actionStep {
      shown[place] = nil
      return nil
    }
    guard let id = answers[value] else { return nil }
    judged = true
    let before = shown.updateValue(Answer(id: id, value: value), forKey: place)
    guard let before, id < before.id else { return nil }
    return "\(place) showed \(before.value) and went back to \(value), the answer to an older request"
  }

  /// Reports a failure only if the answer to the last of all requests is on the screen, and an older request has failed
  /// whose failure the screen had not shown.
  private mutating func showedFailure(_ from: Trace.Value, _ to: Trace.Value) -> String? {
    guard let phase, to[phase] == failed, from[phase] != failed else { return nil }
    guard let failure = newestFailed else { return nil }
    newestFailed = nil
    guard let shown = shown[screen], shown.id == lastAsked, failure < shown.id else { return nil }
    return "\(screen) showed \(shown.value) and then the failure of an older request"
  }
}

// MARK: - Who may have had the answer

extension LatestWins {
  private mutating func noteTasks(_ event: Trace.Event) {
    guard let task = event.task else { return }
    switch event.kind {
    case .began(let call) where call.operation != operation: otherCalls[call.id] = task
    case .ended(let call, _): otherCalls[call.id] = nil
    case .changed(let name, _, _) where name == screen || others.contains(name): showers.insert(task)
    default: break
    }
  }

  mutating func saw(cancelOf task: Int, _ tasks: any TaskKnowledge) {
    defer { cancelled.insert(task) }
    guard let owed else { return }
    if mayHave(owed, task, tasks) {
      self.owed = nil
    } else {
      beside.formUnion(otherCalls.filter { $0.value == task }.keys)
    }
  }

  /// Returns true if `task` may have the answer in hand, or be waiting for it. If one of the tasks that requested it
  /// was canceled before, another may have taken over, and that may be any task.
  private func mayHave(_ answer: Answer, _ task: Int, _ tasks: any TaskKnowledge) -> Bool {
    guard !showers.contains(task), let since = tasks.asleepSince(task), since < answer.time else {
      return true
    }
    var asker = answer.task
    guard asker != nil else { return true }
    while let one = asker {
      if one == task || cancelled.contains(one) { return true }
      asker = tasks.maker(of: one)
    }
    return false
  }
}
