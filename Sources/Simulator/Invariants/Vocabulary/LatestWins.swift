extension Invariant {
  /// The screen never goes back from a newer answer to an older one, and in the end shows the newest.
  ///
  /// The race: two requests overlap, the older one's reply comes last and overwrites what the newer one
  /// brought.
  ///
  /// ```swift
  /// func refresh() async { letters = try await network.letters() }   // twice; the slower one wins
  /// ```
  ///
  /// An answer is newer when it was asked for later. Which answer the screen shows is told by its value, so
  /// different answers must have different values; two equal ones count as the newer. An answer whose
  /// requester was cancelled is not owed, and neither is one when a newer request has failed, or when after
  /// it something failed, the user left, or an action was cancelled that was still under way. Nor is one after which
  /// the program cancels a task that may have had the answer in hand, or waited for it. A task had not if it slept, or waited
  /// for a fake, since before the answer came, unless it or one that it has made has asked for the answer, or it has changed
  /// the screen before. When another
  /// operation fails, a save for instance, the screen may go back to what it showed before. What the screen comes to
  /// in the step in which an action begins is the user's own doing, and no answer.
  ///
  /// - Parameters:
  ///   - operation: What is asked: `GET /inbox`.
  ///   - screen: The observed value that shows the answer.
  ///   - part: Which part of it, where it is a record.
  ///   - phase: Which part of it tells of a failure; it must not do so for an older request when it shows a
  ///     newer answer. Nil where failures are not judged.
  ///   - failed: What that part says on failure.
  ///   - others: Further observed values that show or keep the answer, whole: the server.
  public static func latestWins(
    _ operation: String, on screen: String, _ part: String? = nil, failing phase: String? = nil,
    as failed: Trace.Value = "failed", alsoOn others: String...
  ) -> Invariant {
    Invariant(
      "latest-wins", "The screen shows the answer to the latest request, and never goes back.",
      diagnosis: .staleOverNewer
    ) {
      LatestWins(
        operation: operation, screen: screen, part: part, phase: phase, failed: failed, others: others)
    }
  }
}

private struct LatestWins: TaskMonitor {
  private struct Answer {
    let id: Int
    let value: Trace.Value
    /// Who has asked for it, and when it came.
    var task: Int?
    var time = VirtualInstant.start
  }

  let operation: String
  let screen: String
  let part: String?
  let phase: String?
  let failed: Trace.Value
  let others: [String]
  private var answers: [Trace.Value: Int] = [:]
  private var givenUp: Set<Int> = []
  /// The newest answer that was still wanted, unless something has gone wrong since.
  private var owed: Answer?
  private var shown: [String: Answer] = [:]
  /// What each place holds now, an answer or not.
  private var held: [String: Trace.Value] = [:]
  /// The newest request that was still wanted and that has been answered or has failed.
  private var newest = 0
  private var lastAsked = 0
  /// The step in which an action began last.
  private var actionStep = -1
  /// The newest request that failed and that the screen has not told of.
  private var newestFailed: Int?
  private var activity = Activity()
  /// The tasks that have changed what shows or keeps the answers.
  private var showers: Set<Int> = []
  private var cancelled: Set<Int> = []
  /// Calls of other operations that are under way, by who has made them.
  private var otherCalls: [Int: Int] = [:]
  /// Those of which a cancel has nothing to do with the answer that is owed.
  private var beside: Set<Int> = []
  private(set) var judged = false

  init(
    operation: String, screen: String, part: String?, phase: String?, failed: Trace.Value, others: [String]
  ) {
    self.operation = operation
    self.screen = screen
    self.part = part
    self.phase = phase
    self.failed = failed
    self.others = others
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
      answered(call, Answer(id: call.id, value: value, task: event.task, time: event.time))
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

  /// Only where the answer to the last of all requests is on the screen, and some older one has failed that
  /// the screen had not told of.
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

  /// Whether `task` may have the answer in hand, or be waiting for it. Where some who asked has been cancelled before, another
  /// may have taken over, and it may be any.
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
