public import SimulatorCore

extension Invariant {
  /// After the user's last action, all is quiet within `bound` of virtual time.
  ///
  /// The race: work that is no longer needed goes on, or things that could run concurrently wait for each other.
  ///
  /// Everything that a fake, an action, or an observed value does counts, whatever started it.
  public static func settles(within bound: Duration) -> Invariant {
    Invariant.refuseNegative(bound, "settles-within")
    return Invariant(
      "settles-within", "All is quiet within the bound after the last thing that the user did.",
      diagnosis: .settledTooLate
    ) {
      SettlesWithin(bound: bound)
    }
  }
}

private struct SettlesWithin: Invariant.Monitor {
  let bound: Duration
  private var last: VirtualInstant?
  private var activity = Activity()

  init(bound: Duration) {
    self.bound = bound
  }

  var judged: Bool { last != nil }

  mutating func saw(_ event: Trace.Event) -> String? {
    activity.saw(event)
    switch event.kind {
    case .actionBegan, .cancelled, .appeared, .dismissed: last = event.time
    case .began, .effect, .ended, .actionEnded, .changed:
      if isLate(event.time) { return late(event.time, described(event)) }
    case .step, .cancellation, .taskCancelled, .spent, .anytime, .resumedTwice, .died, .relaunched, .offline,
      .cancelledNothing, .crashed, .hung, .note:
      break
    }
    return nil
  }

  mutating func cutOff(_ end: VirtualInstant) -> String? { atRest(end) }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    activity.isQuiet || !isLate(end) ? nil : late(end, activity.description)
  }

  private func isLate(_ time: VirtualInstant) -> Bool { last.map { $0.duration(to: time) > bound } ?? false }

  /// The text is made only for what is late.
  private func late(_ time: VirtualInstant, _ what: String) -> String? {
    guard let last else { return nil }
    return
      "the user last acted at \(last), and \(last.duration(to: time).shortText) later (\(time)) \(what), "
      + "not within \(bound.shortText)"
  }

  private func described(_ event: Trace.Event) -> String {
    switch event.kind {
    case .began(let call): "\(call.operation) began"
    case .effect(let call, let effect): "\(call.operation) \(effect)"
    case .ended(let call, let outcome): "\(call.operation) \(outcome)"
    case .actionEnded(let action, let outcome): "\(action.label) \(outcome)"
    case .changed(let name, _, let to): "\(name) became \(to)"
    default: "something happened"
    }
  }
}

/// The calls and actions that are under way. O(log n) an event for n of them, as long as calls end roughly in the order
/// in which they began.
///
/// These are arrays, because a set would hash for every event, and there are seldom more than a few.
struct Activity: CustomStringConvertible {
  /// The numbers of the calls, which ascend in the order in which they begin.
  private var calls: [Int] = []
  private var actions: [String] = []

  var hasNoAction: Bool { actions.isEmpty }

  var isQuiet: Bool { calls.isEmpty && actions.isEmpty }

  func isUnderWay(_ action: Trace.Action) -> Bool { actions.contains(action.label) }

  mutating func saw(_ event: Trace.Event) {
    switch event.kind {
    case .began(let call): began(call.id)
    case .ended(let call, _):
      let place = place(of: call.id)
      if place < calls.count, calls[place] == call.id { calls.remove(at: place) }
    case .actionBegan(let action): if !isUnderWay(action) { actions.append(action.label) }
    case .actionEnded(let action, _): actions.removeAll { $0 == action.label }
    default: break
    }
  }

  private mutating func began(_ call: Int) {
    let place = place(of: call)
    if place == calls.count || calls[place] != call { calls.insert(call, at: place) }
  }

  /// Returns the index of the call, or the index where it would be.
  private func place(of call: Int) -> Int {
    guard let last = calls.last, last >= call else { return calls.count }
    var (low, high) = (0, calls.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if calls[middle] < call { low = middle + 1 } else { high = middle }
    }
    return low
  }

  var description: String { "\(calls.count) call(s) and \(actions.count) action(s) were still under way" }
}
