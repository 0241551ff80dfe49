public import SimulatorCore

extension Invariant {
  /// The screen shows its source as it was at some moment, never a combination of several moments.
  ///
  /// The race: the parts are read one after the other, and the source changes in between.
  ///
  /// ```swift
  /// screen = ViewState(isSignedIn: await session.isSignedIn, name: await session.name)   // signed in, without a name
  /// ```
  ///
  /// - Parameters:
  ///   - screen: The observed value that shows the source.
  ///   - part: The part of it that shows the source, if the screen shows more than that.
  ///   - source: The observed value that the screen shows.
  public static func snapshotWasTrue(
    on screen: String, _ part: String? = nil, of source: String
  ) -> Invariant {
    Invariant("snapshot-was-true", "The screen shows only what its source was at some moment.") {
      SnapshotWasTrue(screen: screen, part: part, source: source)
    }
  }
}

private struct SnapshotWasTrue: Invariant.Monitor {
  let screen: String
  let part: String?
  let source: String
  private var past: Set<Trace.Value> = []
  private var parts: [String: Set<Trace.Value>] = [:]
  /// The new value of the screen from the step that is ending, which may have changed the source too.
  private var suspect: (value: Trace.Value, step: Int, time: VirtualInstant)?
  private(set) var judged = false
  private(set) var diagnosis: Invariant.Diagnosis?

  init(screen: String, part: String?, source: String) {
    self.screen = screen
    self.part = part
    self.source = source
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    if let suspect, event.step > suspect.step, let sentence = verdict() { return sentence }
    switch event.kind {
    case .changed(source, let from, let to):
      if from != .none { insert(from) }
      insert(to)
    case .changed(screen, let from, let to) where from != .none:
      judged = true
      suspect = (part.flatMap { to[$0] } ?? to, event.step, event.time)
    default: break
    }
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? { verdict() }

  private mutating func verdict() -> String? {
    guard let (value, _, time) = suspect else { return nil }
    suspect = nil
    guard !past.contains(value) else { return nil }
    diagnosis = isTorn(value) ? .tornSnapshot : nil
    return "at \(time) \(screen) shows \(value), and \(source) has never been that"
  }

  private mutating func insert(_ value: Trace.Value) {
    past.insert(value)
    guard case .record(let fields) = value else { return }
    for field in fields { parts[field.name, default: []].insert(field.value) }
  }

  /// True if the source has had every part of it, though never all together.
  private func isTorn(_ value: Trace.Value) -> Bool {
    guard case .record(let fields) = value else { return false }
    return fields.allSatisfy { parts[$0.name]?.contains($0.value) ?? false }
  }
}
