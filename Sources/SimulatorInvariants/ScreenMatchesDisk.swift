public import SimulatorCore

extension Invariant {
  /// When all is at rest, the screen, and any caches in between, show what the disk holds.
  ///
  /// The race: the screen is set before the write, and the write fails; or a cache is filled before the
  /// commit.
  ///
  /// ```swift
  /// items = try await network.items()
  /// try await store.save(items)          // throws: the items are on the screen and nowhere else
  /// ```
  ///
  /// A screen that the user has left is not judged, nor is an app in which nothing has happened yet. A screen that
  /// shows what was once saved is not judged if the last read of the disk has failed: it cannot know better.
  ///
  /// - Parameters:
  ///   - names: The observed values that must agree, the disk last.
  ///   - part: The part that must agree, for records that have it; for other values, the whole value.
  ///   - reads: The operations that read the disk.
  public static func screenMatchesDisk(
    _ names: String..., part: String? = nil, reading reads: Set<String> = ["read"]
  ) -> Invariant {
    Invariant("screen-matches-disk", "At rest the screen and the caches show what the disk holds.") {
      ScreenMatchesDisk(names: names, part: part, reads: reads)
    }
  }
}

private struct ScreenMatchesDisk: Invariant.Monitor {
  let names: [String]
  let part: String?
  let reads: Set<String>
  /// The values that each of `names` has held so far, oldest first. These are not sets, which would hash every value:
  /// they are searched only if something is wrong.
  private var history: [[Trace.Value]]
  private(set) var diagnosis: Invariant.Diagnosis?
  private var changes = 0
  private var isDismissed = false
  private var hasBegun = false
  private var lastReadFailed = false
  private var activity = Activity()

  init(names: [String], part: String?, reads: Set<String>) {
    self.names = names
    self.part = part
    self.reads = reads
    history = Array(repeating: [], count: names.count)
  }

  var judged: Bool { changes > names.count && !isDismissed }

  mutating func saw(_ event: Trace.Event) -> String? {
    activity.saw(event)
    switch event.kind {
    case .dismissed: isDismissed = true
    case .actionBegan, .began: hasBegun = true
    case .ended(let call, .threw) where reads.contains(call.operation): lastReadFailed = true
    case .ended(let call, .returned) where reads.contains(call.operation): lastReadFailed = false
    case .changed(let name, let from, let to):
      if from != .none { hasBegun = true }
      guard let index = names.firstIndex(of: name) else { break }
      changes += 1
      history[index].append(part.flatMap { to[$0] } ?? to)
    default: break
    }
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard activity.isQuiet, hasBegun, !isDismissed, isApart else { return nil }
    diagnosis = whatHappened
    if lastReadFailed, diagnosis != .shownNotSaved { return nil }
    let shown = zip(names, history).compactMap { name, values in values.last.map { "\(name) has \($0)" } }
    return "at rest " + shown.joined(separator: ", ")
  }

  /// Distinguishes three cases: the screen shows a value that was never on the disk; it shows nothing of what the disk
  /// holds; or the screen and the disk have held both values, in different orders.
  private var whatHappened: Invariant.Diagnosis? {
    guard let everSaved = history.last, let saved = everSaved.last else { return nil }
    let others = history.dropLast().filter { $0.last != saved }
    let shown = others.compactMap(\.last)
    if shown.contains(where: { !$0.isEmpty && !everSaved.contains($0) }) { return .shownNotSaved }
    if !saved.isEmpty, shown.allSatisfy(\.isEmpty) { return .savedNotShown }
    return others.allSatisfy { $0.contains(saved) } ? .outOfOrder : nil
  }

  /// True if two of them hold different values.
  private var isApart: Bool {
    let last = history.lazy.compactMap(\.last)
    return last.contains { $0 != last.first }
  }
}

extension Trace.Value {
  fileprivate var isEmpty: Bool { self == .none || self == .list([]) || self == .text("") }
}
