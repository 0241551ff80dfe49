public import SimulatorCore

extension Invariant {
  /// After an owner is dismissed, its requests are canceled within `bound` of virtual time, and it sends no more until it
  /// comes back.
  ///
  /// The fault: nothing keeps the tasks of a screen, or nothing cancels them when it goes.
  ///
  /// ```swift
  /// func appear() { Task { profile = try await network.profile() } }   // nothing keeps the task
  /// func disappear() {}
  /// ```
  ///
  /// The request may go on if its network ignores the cancel. What the screen shows is judged by
  /// ``nothingAfterDismissal(of:by:)``.
  ///
  /// - Parameters:
  ///   - operations: The operations at the far end, such as `GET /profile`, that only this owner requests.
  ///   - owner: The owner: a screen, a session.
  ///   - bound: The time that the cancel may take to get there; zero for the same moment.
  public static func endsWithOwner(
    _ operations: String..., by owner: String, within bound: Duration = .zero
  ) -> Invariant {
    refuseNegative(bound, "ends-with-owner")
    return Invariant(
      "ends-with-owner", "What a screen or a session has asked for is canceled when it goes.",
      diagnosis: .outlivedOwner
    ) {
      EndsWithOwner(bound: bound, owner: owner, wire: CallsOnTheWire(operations))
    }
  }
}

private struct EndsWithOwner: Invariant.Monitor {
  let bound: Duration
  let owner: String
  var wire: CallsOnTheWire
  private(set) var judged = false
  /// When the owner was dismissed, until it comes back.
  private var left: VirtualInstant?

  init(bound: Duration, owner: String, wire: CallsOnTheWire) {
    self.bound = bound
    self.owner = owner
    self.wire = wire
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    if let sentence = late(event.time) { return sentence }
    wire.saw(event)
    switch event.kind {
    case .began(let call) where isLate(event.time) && wire.first(where: { $0.id == call.id }) != nil:
      return "\(owner) was dismissed at \(since), and at \(event.time) \(call.operation) was sent"
    case .dismissed(owner) where left == nil:
      left = event.time
      judged = true
    case .appeared(owner): left = nil
    default: break
    }
    return nil
  }

  mutating func cutOff(_ end: VirtualInstant) -> String? { atRest(end) }

  mutating func atRest(_ end: VirtualInstant) -> String? { late(end) }

  private var since: String { left.map { "\($0)" } ?? "no time" }

  /// Returns true if the owner was dismissed longer ago than the bound.
  private func isLate(_ time: VirtualInstant) -> Bool { left.map { $0.duration(to: time) > bound } ?? false }

  private func late(_ time: VirtualInstant) -> String? {
    guard isLate(time), let (call, sent) = wire.first() else { return nil }
    let bound = bound == .zero ? "" : ", not within \(bound.shortText)"
    return
      "\(owner) was dismissed at \(since), and at \(time) \(call.operation), sent at \(sent), has not been "
      + "canceled\(bound)"
  }
}
