extension Invariant {
  /// The version that is shown never becomes a lower one.
  ///
  /// The race: a value is copied out of its owner, changed across an await and put back, over what others have made of
  /// it meanwhile.
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
  public static func versionNeverBack(on screen: String, _ part: String) -> Invariant {
    Invariant("version-never-back", "The version that is shown never becomes a lower one.") {
      VersionNeverBack(screen: screen, part: part)
    }
  }
}

private struct VersionNeverBack: Judge {
  let screen: String
  let part: String
  private var highest: Int?
  private(set) var judged = false

  init(screen: String, part: String) {
    self.screen = screen
    self.part = part
  }

  mutating func saw(_ event: Event) -> String? {
    guard case .changed(screen, _, let to) = event.kind, case .int(let version)? = to[part] else {
      return nil
    }
    defer { highest = max(version, highest ?? version) }
    guard let highest else { return nil }
    judged = true
    return version < highest ? "\(screen) had come to \(part) \(highest) and went back to \(version)" : nil
  }
}
