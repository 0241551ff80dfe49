extension Invariant {
  /// When all is at rest the screen, and whatever caches stand in between, show what the disk holds.
  ///
  /// The race: the screen is set before the write, and the write fails; or a cache is filled before the
  /// commit.
  ///
  /// ```swift
  /// items = try await network.items()
  /// try await store.save(items)          // throws: the items are on the screen and nowhere else
  /// ```
  ///
  /// A screen that the user has left is not judged.
  ///
  /// - Parameters:
  ///   - names: The observed values that must agree, the disk last.
  ///   - part: The part that must agree, of those that are records and have it; of the others the whole
  ///     value.
  public static func screenMatchesDisk(_ names: String..., part: String? = nil) -> Invariant {
    Invariant("screen-matches-disk", "At rest the screen and the caches show what the disk holds.") {
      ScreenMatchesDisk(names: names, part: part)
    }
  }
}

private struct ScreenMatchesDisk: Invariant.Monitor {
  let names: [String]
  let part: String?
  private var values: [String: Trace.Value] = [:]
  private var history: [String: Set<Trace.Value>] = [:]
  private(set) var diagnosis: Invariant.Diagnosis?
  private var changes = 0
  private var isDismissed = false
  private var activity = Activity()

  init(names: [String], part: String?) {
    self.names = names
    self.part = part
  }

  var judged: Bool { changes > names.count && !isDismissed }

  mutating func saw(_ event: Trace.Event) -> String? {
    activity.saw(event)
    switch event.kind {
    case .dismissed: isDismissed = true
    case .changed(let name, _, let to) where names.contains(name):
      changes += 1
      let shown = part.flatMap { to[$0] } ?? to
      values[name] = shown
      history[name, default: []].insert(shown)
    default: break
    }
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard activity.isQuiet, !isDismissed, Set(values.values).count > 1 else { return nil }
    diagnosis = whatHappened
    let shown = names.compactMap { name in values[name].map { "\(name) has \($0)" } }
    return "at rest " + shown.joined(separator: ", ")
  }

  /// What is shown was never on the disk; or nothing is shown of what is; or screen and disk have held both
  /// values, in different orders.
  private var whatHappened: Invariant.Diagnosis? {
    guard let disk = names.last, let saved = values[disk], let everSaved = history[disk] else { return nil }
    let others = names.dropLast().filter { values[$0] != saved }
    let shown = others.compactMap { values[$0] }
    if shown.contains(where: { !$0.isEmpty && !everSaved.contains($0) }) { return .shownNotSaved }
    if !saved.isEmpty, shown.allSatisfy(\.isEmpty) { return .savedNotShown }
    return others.allSatisfy { history[$0]?.contains(saved) ?? false } ? .outOfOrder : nil
  }
}

extension Trace.Value {
  fileprivate var isEmpty: Bool { self == .none || self == .list([]) || self == .text("") }
}
