public import SimulatorCore

extension Invariant {
  /// Once their owner has gone, its requests are canceled within `bound` of virtual time, and no more are sent, until it
  /// comes back.
  ///
  /// The fault: nothing keeps the tasks of a screen, or nothing cancels them when it goes.
  ///
  /// ```swift
  /// func appear() { Task { profile = try await network.profile() } }   // nothing keeps the task
  /// func disappear() {}
  /// ```
  ///
  /// It is enough that the transport is notified of the cancel. What the screen shows is judged by
  /// ``nothingAfterDismissal(of:by:)``.
  ///
  /// - Parameters:
  ///   - operations: The operations at the far end, such as `GET /profile`, that only this owner requests.
  ///   - owner: The owner whose dismissal counts: a screen, a session. Nil for any owner.
  ///   - bound: The time that the cancel may take to get there; zero for the same moment.
  public static func endsWithOwner(
    _ operations: String..., by owner: String? = nil, within bound: Duration = .zero
  ) -> Invariant {
    refuseNegative(bound, "ends-with-owner")
    return Invariant(
      "ends-with-owner", "What a screen or a session has asked for is canceled when it goes.",
      diagnosis: .outlivedOwner
    ) {
      EndsWithOwner(bound: bound, wire: CallsOnTheWire(operations), dismissal: Dismissal(owner: owner))
    }
  }
}

private struct EndsWithOwner: Invariant.Monitor {
  let bound: Duration
  var wire: CallsOnTheWire
  var dismissal: Dismissal
  private(set) var judged = false
  /// The step in which a request was canceled last.
  private var cancelled: Int?

  init(bound: Duration, wire: CallsOnTheWire, dismissal: Dismissal) {
    self.bound = bound
    self.wire = wire
    self.dismissal = dismissal
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    if let sentence = late(event.time) { return sentence }
    switch event.kind {
    case .cancellation(let call, _) where wire.operations.contains(call.operation): cancelled = event.step
    case .dismissed where wire.first() != nil || cancelled == event.step: judged = true
    default: break
    }
    wire.saw(event)
    dismissal.saw(event)
    return nil
  }

  mutating func cutOff(_ end: VirtualInstant) -> String? { atRest(end) }

  mutating func atRest(_ end: VirtualInstant) -> String? { late(end) }

  private mutating func late(_ time: VirtualInstant) -> String? {
    guard let left = dismissal.last, left.event.time.duration(to: time) > bound,
      let (call, since) = wire.first(), since.duration(to: time) > bound
    else { return nil }
    let late = bound == .zero ? "" : ", not within \(bound.shortText)"
    return
      "\(left.owner) was dismissed at \(left.event.time), and at \(time) \(call.operation), sent at "
      + "\(since), has not been canceled\(late)"
  }
}
