public import SimulatorCore

extension Invariant {
  /// When every action that asked has been canceled, each request on the wire is canceled within `bound` of virtual
  /// time.
  ///
  /// The race: the request runs in its own task; the cancel ends the wait for that task, not the task itself.
  ///
  /// ```swift
  /// func articles() async throws -> Articles {
  ///   let task = Task { try await transport.articles() }
  ///   return try await task.value          // cancelled here, the task goes on
  /// }
  /// ```
  ///
  /// While an action that has not been canceled is under way, the requests may belong to it. It is enough that the
  /// transport is notified of the cancel: a transport that ignores it is not the caller's fault.
  ///
  /// - Parameters:
  ///   - operations: The operations at the far end, such as `GET /articles`, that only actions request. Exclude what an
  ///     action leaves running on purpose, such as a prefetch.
  ///   - bound: The time that the cancel may take to get there; zero for the same moment.
  public static func cancellationReachesTransport(
    _ operations: String..., within bound: Duration
  ) -> Invariant { cancellationReachesTransport(operations, within: bound) }

  /// See ``cancellationReachesTransport(_:within:)``.
  package static func cancellationReachesTransport(
    _ operations: [String], within bound: Duration
  ) -> Invariant {
    Invariant.refuseNegative(bound, "cancellation-reaches-transport")
    return Invariant(
      "cancellation-reaches-transport", "A cancel reaches what is on the wire within the bound.",
      diagnosis: .outlivedOwner
    ) {
      CancellationReachesTransport(bound: bound, wire: CallsOnTheWire(operations))
    }
  }
}

private struct CancellationReachesTransport: Invariant.Monitor {
  let bound: Duration
  var wire: CallsOnTheWire
  private var wanting: Set<Trace.Action> = []
  private var cancelled: Set<Trace.Action> = []
  /// The cancel since which no action wants an answer.
  private var last: (action: Trace.Action, time: VirtualInstant)?
  private(set) var judged = false

  init(bound: Duration, wire: CallsOnTheWire) {
    self.bound = bound
    self.wire = wire
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    if let sentence = late(event.time) { return sentence }
    wire.saw(event)
    switch event.kind {
    case .actionBegan(let action) where cancelled.contains(action): left(action, event.time)
    case .actionBegan(let action):
      wanting.insert(action)
      last = nil
    case .cancelled(let action):
      cancelled.insert(action)
      if wanting.remove(action) != nil { left(action, event.time) }
    case .actionEnded(let action, _): wanting.remove(action)
    case .cancellation(let call, _) where wire.operations.contains(call.operation): judged = true
    default: break
    }
    return nil
  }

  mutating func cutOff(_ end: VirtualInstant) -> String? { atRest(end) }

  mutating func atRest(_ end: VirtualInstant) -> String? { late(end) }

  private mutating func left(_ action: Trace.Action, _ time: VirtualInstant) {
    if wanting.isEmpty { last = (action, time) }
  }

  private mutating func late(_ time: VirtualInstant) -> String? {
    guard let last, last.time.duration(to: time) > bound, let (call, since) = wire.first() else { return nil }
    judged = true
    let delay = last.time.duration(to: time).shortText
    return
      "\(last.action.label) was cancelled at \(last.time), and \(delay) later (\(time)) \(call.operation), sent at "
      + "\(since), has not been told, not within \(bound.shortText)"
  }
}
