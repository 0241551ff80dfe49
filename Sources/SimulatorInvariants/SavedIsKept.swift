public import SimulatorCore

extension Invariant {
  /// What the screen reports as saved is on the disk, at that moment and after a relaunch.
  ///
  /// The fault: the screen says so before the write has ended. The app is closed, and the user's work is gone.
  ///
  /// Nothing is promised any more when the next action begins, or when another save changes the disk. O(1) an event.
  ///
  /// - Parameters:
  ///   - screen: The observed value that reports it.
  ///   - part: The part of it that holds the status, if it is a record.
  ///   - shown: The part of it that holds what is saved; nil if that is the whole value.
  ///   - unsuccessful: The values of the status that report nothing as saved.
  ///   - source: The observed value that holds what is saved, if the screen shows only a status.
  ///   - disk: The observed value of the disk.
  public static func savedIsKept(
    on screen: String, _ part: String? = nil, showing shown: String? = nil, not unsuccessful: [Trace.Value],
    of source: String? = nil, in disk: String
  ) -> Invariant {
    Invariant(
      "saved-is-kept", "What is reported as saved is on the disk, after a relaunch too.",
      diagnosis: .shownNotSaved
    ) {
      SavedIsKept(
        screen: screen, part: part, shown: shown, unsuccessful: unsuccessful + [.none],
        source: source ?? screen,
        disk: disk)
    }
  }
}

private struct SavedIsKept: Invariant.Monitor {
  let screen: String
  let part: String?
  let shown: String?
  let unsuccessful: [Trace.Value]
  let source: String
  let disk: String
  private var values: [String: Trace.Value] = [:]
  /// What was reported last, since when, and in which step.
  private var promise: (value: Trace.Value, since: VirtualInstant, step: Int)?
  /// True if the process has died since.
  private var hasDied = false
  private(set) var judged = false

  init(
    screen: String, part: String?, shown: String?, unsuccessful: [Trace.Value], source: String, disk: String
  ) {
    (self.screen, self.part, self.shown, self.unsuccessful) = (screen, part, shown, unsuccessful)
    (self.source, self.disk) = (source, disk)
  }

  var outlivesProcess: Bool { true }

  mutating func saw(_ event: Trace.Event) -> String? {
    var sentence: String?
    // The values that one step changes come one after another.
    if let promise, promise.step < event.step { sentence = broken() }
    switch event.kind {
    case .actionBegan: promise = nil
    case .changed(let name, let from, let to):
      values[name] = to
      if name == disk, let promise, promise.step < event.step, !hasDied { self.promise = nil }
      if name == screen, from != .none { reported(to, event) }
    default: break
    }
    return sentence
  }

  mutating func paused(_ time: VirtualInstant) -> String? { broken() }
  mutating func atRest(_ end: VirtualInstant) -> String? { broken() }

  mutating func processDied(_ time: VirtualInstant) -> String? {
    hasDied = true
    return broken()
  }

  /// It is a report only if the screen has not said so before.
  private mutating func reported(_ value: Trace.Value, _ event: Trace.Event) {
    let status = part.flatMap { value[$0] } ?? value
    guard !unsuccessful.contains(status) else { return promise = nil }
    judged = true
    hasDied = false
    let told = values[source] ?? .none
    promise = (shown.flatMap { told[$0] } ?? told, event.time, event.step)
  }

  private func broken() -> String? {
    let held = values[disk] ?? .none
    guard let promise, held != promise.value else { return nil }
    let end = hasDied ? "after a relaunch \(disk) holds" : "\(disk) held"
    return "at \(promise.since) \(screen) reported \(promise.value) as saved, and \(end) \(held)"
  }
}
