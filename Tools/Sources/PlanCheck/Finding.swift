/// One thing that is not as the plan says.
public struct Finding: Hashable {
  public let message: String
  /// What a summary counts it under.
  let kind: String?

  init(_ message: String, kind: String? = nil) {
    self.message = message
    self.kind = kind
  }
}

/// What a check found out.
public struct Outcome {
  public let findings: [Finding]
  /// What is true if there are no findings.
  public let proved: String
  /// What is to be known, and no finding.
  public var remarks: [String] = []

  /// How many findings there are of each kind.
  public var summary: [String] {
    Dictionary(grouping: findings.compactMap(\.kind), by: \.self).sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value.count)" }
  }
}
