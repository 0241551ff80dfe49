extension Invariant {
  /// The screen never goes back from a newer answer to an older one, and in the end shows the newest.
  ///
  /// The race: two requests overlap, the older one's reply comes last and overwrites what the newer one brought.
  ///
  /// ```swift
  /// func refresh() async { letters = try await network.letters() }   // twice; the slower one wins
  /// ```
  ///
  /// An answer is newer when it was asked for later. Which answer the screen shows is told by its value, so different
  /// answers must have different values; two equal ones count as the newer. An answer whose requester was cancelled is
  /// owed to nobody, and neither is the newest one when after it something failed, the user left, or an action was
  /// cancelled that was still under way. When another operation fails, a save for instance, the screen may go back to
  /// what it showed before.
  ///
  /// - Parameters:
  ///   - operation: What is asked: `GET /inbox`.
  ///   - screen: The observed value that shows the answer.
  ///   - part: Which part of it, where it is a record.
  public static func latestWins(_ operation: String, on screen: String, _ part: String? = nil) -> Invariant {
    Invariant(
      "latest-wins", "The screen shows the answer to the latest request, and never goes back.",
      race: .staleOverNewer
    ) {
      LatestWins(operation: operation, screen: screen, part: part)
    }
  }
}

private struct LatestWins: Judge {
  let operation: String
  let screen: String
  let part: String?
  private var answers: [Value: Int] = [:]
  private var givenUp: Set<Int> = []
  /// The newest answer that somebody still wanted, unless something has gone wrong since.
  private var owed: (id: Int, value: Value)?
  private var shown: (id: Int, value: Value)?
  private var newest = 0
  private var activity = Activity()
  private(set) var judged = false

  init(operation: String, screen: String, part: String?) {
    self.operation = operation
    self.screen = screen
    self.part = part
  }

  mutating func saw(_ event: Event) -> String? {
    activity.saw(event)
    switch event.kind {
    case .began(let call) where call.operation == operation && call.requesterWasCancelled:
      givenUp.insert(call.id)
    case .cancellation(let call, _): givenUp.insert(call.id)
    case .ended(let call, .returned(let value)) where call.operation == operation: answered(call, value)
    case .ended(let call, .threw), .ended(let call, .cancelled):
      owed = nil
      if call.operation != operation { shown = nil }
    case .cancelled(let action) where activity.isUnderWay(action): owed = nil
    case .dismissed: owed = nil
    case .changed(screen, _, let to): return showed(part.flatMap { to[$0] } ?? to)
    default: break
    }
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard let owed, let shown, shown.id < owed.id else { return nil }
    return "the latest request brought \(owed.value), but in the end \(screen) shows \(shown.value), "
      + "which an older one brought"
  }

  private mutating func answered(_ call: Call, _ value: Value) {
    answers[value] = max(call.id, answers[value] ?? 0)
    guard call.id > newest, !givenUp.contains(call.id) else { return }
    newest = call.id
    owed = (call.id, value)
  }

  private mutating func showed(_ value: Value) -> String? {
    guard let id = answers[value] else { return nil }
    judged = true
    defer { shown = (id, value) }
    guard let shown, id < shown.id else { return nil }
    return "\(screen) showed \(shown.value) and went back to \(value), the answer to an older request"
  }
}
