public import SimulatorCore

extension Invariant {
  /// A request that is given up by its name is canceled, however often that name has been used before.
  ///
  /// The race: a registry keeps the request under its name, and loses it while it is on the wire. Either another
  /// request of that name replaced it, or the late cleanup after an older one removes the newer one.
  ///
  /// ```swift
  /// inFlight[id] = task
  /// defer { Task { inFlight[id] = nil } }   // by then it may be another's
  /// ```
  ///
  /// Code that gives a request up ends with a dismissal of its name, `simulation.record(.dismissed(owner:
  /// "articles"))`; a call's detail is the name of its request. A request that was sent before that action began must
  /// be canceled by the time at which the action ends. Later requests are not affected.
  ///
  /// - Parameter operations: The operations that are judged, such as `GET /articles`.
  public static func cancellableWhileInFlight(_ operations: String...) -> Invariant {
    Invariant(
      "cancellable-while-in-flight", "A request can be cancelled by its name as long as it is on the wire.",
      diagnosis: .outlivedOwner
    ) {
      CancellableWhileInFlight(wire: CallsOnTheWire(operations))
    }
  }
}

private struct CancellableWhileInFlight: Invariant.Monitor {
  var wire: CallsOnTheWire
  /// The newest call, and the call that was newest when each task began its action.
  private var newest = 0
  private var newestAtBegin: [Int: Int] = [:]
  /// The names given up at the present moment, each with the newest call that must have been canceled.
  private var givenUp: [(name: String, newest: Int, time: VirtualInstant)] = []
  private(set) var judged = false

  init(wire: CallsOnTheWire) {
    self.wire = wire
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    if let sentence = late(event.time) { return sentence }
    wire.saw(event)
    switch event.kind {
    case .began(let call): newest = call.id
    case .cancellation(let call, _) where wire.operations.contains(call.operation): judged = true
    case .actionBegan:
      if let task = event.task { newestAtBegin[task] = newest }
    case .dismissed(let owner):
      givenUp.append((owner, event.task.flatMap { newestAtBegin[$0] } ?? newest, event.time))
    default: break
    }
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? { late(end) }

  private mutating func late(_ time: VirtualInstant) -> String? {
    guard let last = givenUp.last, time > last.time else { return nil }
    defer { givenUp.removeAll() }
    for (name, newest, left) in givenUp {
      let sent = wire.first { $0.detail == .text(name) && $0.id <= newest }
      guard let (call, since) = sent else { continue }
      judged = true
      return "\(name) was given up at \(left), and at \(time) \(call.operation), sent at \(since), has not "
        + "been told"
    }
    return nil
  }
}
