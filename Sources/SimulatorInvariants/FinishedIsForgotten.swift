public import SimulatorCore

extension Invariant {
  /// When all is at rest, nothing that has finished is still held.
  ///
  /// The race: a scope that is to cancel its tasks keeps all of them, and never releases those that have finished.
  ///
  /// ```swift
  /// func launch(_ work: @escaping () async -> Void) { tasks.append(Task { await work() }) }
  /// ```
  ///
  /// Judged when nothing is under way: until then, an object may still be needed.
  ///
  /// - Parameter name: The observed value: the list of the objects that are held, or their number.
  public static func finishedIsForgotten(in name: String) -> Invariant {
    Invariant("finished-is-forgotten", "At rest nobody holds on to what is over.", diagnosis: .keptForEver) {
      FinishedIsForgotten(name: name)
    }
  }
}

private struct FinishedIsForgotten: Invariant.Monitor {
  let name: String
  private var held = Trace.Value.none
  private var activity = Activity()
  private(set) var judged = false

  init(name: String) {
    self.name = name
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    activity.saw(event)
    guard case .changed(name, _, let to) = event.kind else { return nil }
    held = to
    judged = judged || !isNothing(to)
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard activity.isQuiet, !isNothing(held) else { return nil }
    return "nothing is under way at \(end), and \(name) still holds \(held)"
  }

  private func isNothing(_ value: Trace.Value) -> Bool { value == .none || value == 0 || value == [] }
}
