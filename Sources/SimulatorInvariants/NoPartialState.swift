public import SimulatorCore

extension Invariant {
  /// When the screen says that it has loaded, it shows a whole answer: not half of one, and not a mixture of two.
  ///
  /// The race: two refreshes overlap and both append to the same list.
  ///
  /// ```swift
  /// letters.removeAll()
  /// for envelope in try await network.inbox() { letters.append(await decode(envelope)) }
  /// ```
  ///
  /// The values that it shows while loading are not judged; neither is an empty list, nor the initial value.
  ///
  /// - Parameters:
  ///   - screen: The observed value, a record.
  ///   - part: The part of it that must be whole.
  ///   - phase: The part of it that holds the status.
  ///   - loaded: The value of that part when everything is loaded.
  ///   - wholes: The values that are whole.
  public static func noPartialState(
    on screen: String, _ part: String, when phase: String = "phase", is loaded: Trace.Value = "loaded",
    of wholes: Invariant.Wholes...
  ) -> Invariant {
    Invariant("no-partial-state", "The screen never shows half an answer, or a mixture of two.") {
      NoPartialState(
        screen: screen, part: part, phase: phase, loaded: loaded, wholes: WholeValues(wholes))
    }
  }
}

private struct NoPartialState: Invariant.Monitor {
  let screen: String
  let part: String
  let phase: String
  let loaded: Trace.Value
  var wholes: WholeValues
  private(set) var judged = false
  private(set) var diagnosis: Invariant.Diagnosis?
  private var hasBegun = false

  init(screen: String, part: String, phase: String, loaded: Trace.Value, wholes: WholeValues) {
    self.screen = screen
    self.part = part
    self.phase = phase
    self.loaded = loaded
    self.wholes = wholes
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    wholes.saw(event)
    guard case .changed(screen, let from, let to) = event.kind else { return nil }
    if !hasBegun, let first = from[part] ?? to[part] { wholes.insert(first) }
    hasBegun = true
    guard to[phase] == loaded, let shown = to[part], shown != .list([]) else { return nil }
    judged = true
    guard !wholes.contains(shown) else { return nil }
    diagnosis =
      switch wholes.composition(of: shown) {
      case .part: .partOfResult
      case .mixture: .mixedResults
      case .unknown: nil
      }
    return "\(screen) says \(loaded) and shows \(shown), which nobody ever sent"
  }
}
