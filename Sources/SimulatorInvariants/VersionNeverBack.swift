public import SimulatorCore

extension Invariant {
  /// The displayed version never becomes a lower one.
  ///
  /// The race: a value is copied from its owner, changed across an await, and written back over the changes that others
  /// have made in the meantime.
  ///
  /// ```swift
  /// var copy = shelf                          // version 1
  /// copy.insert(try await load(url))          // meanwhile the shelf has come to version 3
  /// shelf = copy                              // version 2
  /// ```
  ///
  /// If the source itself goes back, to the version after one that the task had seen there, the changes in between are
  /// lost. The diagnosis is then a lost update.
  ///
  /// - Parameters:
  ///   - screen: The observed value, a record.
  ///   - part: The part of it that holds the version, a number.
  ///   - source: The observed value whose versions are shown, a record with the same part, if there is one.
  public static func versionNeverBack(
    on screen: String, _ part: String, of source: String? = nil
  ) -> Invariant {
    Invariant("version-never-back", "The version that is shown never becomes a lower one.") {
      VersionNeverBack(screen: screen, part: part, source: source)
    }
  }
}

private struct VersionNeverBack: Invariant.Monitor {
  let screen: String
  let part: String
  let source: String?
  private var highest: Int?
  /// The position in the source's history at which each version began.
  private var history: [Int: Int] = [:]
  /// The source's present version, and the versions that each task has seen in its steps; nil stands for the first
  /// version until the source changes.
  private var version: Int?
  private var seen: [Sight: Set<Int?>] = [:]
  private var first: Int?
  /// The version to which the source was set back, by a task that had seen the version before it.
  private var lostUpdate: Int?
  private(set) var judged = false
  private(set) var diagnosis: Invariant.Diagnosis?

  private struct Sight: Hashable {
    let task: Int?
    let domain: Int
  }

  init(screen: String, part: String, source: String?) {
    self.screen = screen
    self.part = part
    self.source = source
  }

  var wantsSteps: Bool { source != nil }

  mutating func saw(_ event: Trace.Event) -> String? {
    if event.kind == .step {
      seen[Sight(task: event.task, domain: event.domain), default: []].insert(version)
    }
    guard case .changed(let name, let from, let to) = event.kind, case .int(let version)? = to[part] else {
      return nil
    }
    if name == source {
      if self.version == nil, case .int(let before)? = from[part] { (first, self.version) = (before, before) }
      came(to: version, event)
    }
    return name == screen ? showed(version) : nil
  }

  private mutating func came(to version: Int, _ event: Trace.Event) {
    if history[version] == nil { history[version] = history.count }
    let known = seen[Sight(task: event.task, domain: event.domain)] ?? []
    let hasSeenBase = known.contains(version - 1) || (first == version - 1 && known.contains(nil))
    let isBack = self.version.map { version < $0 } ?? false
    lostUpdate = isBack && hasSeenBase ? version : nil
    self.version = version
  }

  private mutating func showed(_ version: Int) -> String? {
    defer { highest = max(version, highest ?? version) }
    guard let highest else { return nil }
    judged = true
    guard version < highest else { return nil }
    if lostUpdate == version {
      diagnosis = .lostUpdate
    } else if let older = history[version], let newer = history[highest], older < newer {
      diagnosis = .staleOverNewer
    }
    return "\(screen) had come to \(part) \(highest) and went back to \(version)"
  }
}
