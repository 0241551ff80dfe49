extension Invariant {
  /// A request that is given up by its name is told so, however often that name has been used before.
  ///
  /// The race: a registry keeps the request under its name, and forgets it while it is on the wire: another
  /// of that name took its place, or the clean-up after an older one comes late and removes the newer.
  ///
  /// ```swift
  /// inFlight[id] = task
  /// defer { Task { inFlight[id] = nil } }   // by then it may be another's
  /// ```
  ///
  /// Code that gives a request up ends with a dismissal of its name, `simulation.record(.dismissed(owner:
  /// "articles"))`; a call's detail is the name of its request. What was sent before that action began must
  /// have been told by the time at which it ends; later ones are no concern of it.
  ///
  /// - Parameter operations: The operations concerned, `GET /articles`.
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
  /// The newest call, and what it was when each task began its action.
  private var newest = 0
  private var newestAtBegin: [Int: Int] = [:]
  /// What was given up at the present moment, and for each the newest call that must have been told.
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
