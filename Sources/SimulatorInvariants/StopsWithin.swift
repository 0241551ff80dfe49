public import SimulatorCore

extension Invariant {
  /// An action that is canceled ends within `bound` of virtual time.
  ///
  /// The race: long work never checks between its steps if it is still wanted; or a task of its own checks, but the
  /// cancel never reaches it.
  ///
  /// ```swift
  /// for frame in frames { panorama = await stitch(frame, onto: panorama) }   // cancelled after the second of fifty
  /// ```
  ///
  /// - Parameter bound: The time that one step takes, if the work checks for cancellation between steps.
  public static func stops(within bound: Duration) -> Invariant {
    Invariant.refuseNegative(bound, "stops-within")
    return Invariant(
      "stops-within", "An action that is cancelled ends within the bound.", diagnosis: .stoppedTooLate
    ) {
      StopsWithin(bound: bound)
    }
  }
}

private struct StopsWithin: Invariant.Monitor {
  let bound: Duration
  private var underWay: Set<Trace.Action> = []
  private var cancelled: [Trace.Action: VirtualInstant] = [:]
  private(set) var judged = false

  init(bound: Duration) {
    self.bound = bound
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .actionBegan(let action): underWay.insert(action)
    case .cancelled(let action) where underWay.contains(action) && cancelled[action] == nil:
      judged = true
      cancelled[action] = event.time
    case .actionEnded(let action, _):
      underWay.remove(action)
      guard let moment = cancelled.removeValue(forKey: action) else { return nil }
      return isLate(moment, event.time) ? late(action, moment, "ended", event.time) : nil
    default: break
    }
    return nil
  }

  mutating func cutOff(_ end: VirtualInstant) -> String? { atRest(end) }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    let late = cancelled.filter { isLate($0.value, end) }.min { $0.key.label < $1.key.label }
    return late.map { self.late($0.key, $0.value, "had not ended", end) }
  }

  private func late(
    _ action: Trace.Action, _ moment: VirtualInstant, _ what: String, _ time: VirtualInstant
  ) -> String {
    "\(action.label) was cancelled at \(moment) and \(what) \(moment.duration(to: time).shortText) later (\(time)), not "
      + "within \(bound.shortText)"
  }

  private func isLate(_ moment: VirtualInstant, _ time: VirtualInstant) -> Bool {
    moment.duration(to: time) > bound
  }
}
