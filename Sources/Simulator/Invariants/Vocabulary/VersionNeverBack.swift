extension Invariant {
  /// The version that is shown never becomes a lower one.
  ///
  /// The race: a value is copied out of its owner, changed across an await and put back, over what others
  /// have made of it meanwhile.
  ///
  /// ```swift
  /// var copy = shelf                          // version 1
  /// copy.insert(try await load(url))          // meanwhile the shelf has come to version 3
  /// shelf = copy                              // version 2
  /// ```
  ///
  /// - Parameters:
  ///   - screen: The observed value, a record.
  ///   - part: The part of it that tells the version, a number.
  ///   - source: The observed value whose versions are shown, a record with the same part, where there is
  ///     one.
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
  /// Where in the source's history each version began.
  private var history: [Int: Int] = [:]
  private(set) var judged = false
  private(set) var diagnosis: Invariant.Diagnosis?

  init(screen: String, part: String, source: String?) {
    self.screen = screen
    self.part = part
    self.source = source
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .changed(let name, _, let to) = event.kind, case .int(let version)? = to[part] else {
      return nil
    }
    if name == source, history[version] == nil { history[version] = history.count }
    return name == screen ? showed(version) : nil
  }

  private mutating func showed(_ version: Int) -> String? {
    defer { highest = max(version, highest ?? version) }
    guard let highest else { return nil }
    judged = true
    guard version < highest else { return nil }
    if let older = history[version], let newer = history[highest], older < newer {
      diagnosis = .staleOverNewer
    }
    return "\(screen) had come to \(part) \(highest) and went back to \(version)"
  }
}
