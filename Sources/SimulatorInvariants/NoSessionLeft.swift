public import SimulatorCore

extension Invariant {
  /// A user who is logged out in memory is also logged out on the disk: the next launch does not log them in again.
  ///
  /// The fault: the session is forgotten first, and then deleting it from the disk fails.
  ///
  /// ```swift
  /// session = nil
  /// try await keychain.deleteSession()   // throws: at the next launch the session is there again
  /// ```
  ///
  /// Judged at rest, and when the process dies. While memory holds a session, the disk may hold one or not.
  ///
  /// - Parameters:
  ///   - memory: The observed value that holds the session in memory; if it holds nothing, no user is logged in.
  ///   - disk: The observed value from which the next launch restores the session.
  public static func noSessionLeft(in memory: String, on disk: String) -> Invariant {
    Invariant(
      "no-session-left", "Who is logged out is still so at the next launch.", diagnosis: .savedNotShown
    ) {
      NoSessionLeft(memory: memory, disk: disk)
    }
  }
}

private struct NoSessionLeft: Invariant.Monitor {
  let memory: String
  let disk: String
  private var held = Trace.Value.none
  private var kept = Trace.Value.none
  private var forgotten: VirtualInstant?

  init(memory: String, disk: String) {
    self.memory = memory
    self.disk = disk
  }

  var judged: Bool { forgotten != nil }

  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .changed(let name, let from, let to) = event.kind else { return nil }
    if name == memory {
      held = to
      if from != .none, to == .none { forgotten = event.time }
    }
    if name == disk { kept = to }
    return nil
  }

  mutating func processDied(_ time: VirtualInstant) -> String? { left("the process dies at \(time), when") }

  mutating func atRest(_ end: VirtualInstant) -> String? { left("and") }

  private func left(_ when: String) -> String? {
    guard let forgotten, held == .none, kept != .none else { return nil }
    return
      "\(memory) was forgotten at \(forgotten), \(when) \(disk) holds \(kept): the next launch is logged in again"
  }
}
