/// Unsafe code stands only in the folders that PLAN.md names.
///
/// That is: C, and in Swift what is marked `unsafe`, `@unsafe`, `@safe` or `@unchecked`, and whatever is called unsafe. The
/// compiler's strict memory safety sees to it that no other code is.
public struct UnsafeCheck {
  static let heading = "Unsafe code"

  private let sources: Sources
  private let listed: [Section.Entry]

  public init(sources: Sources, plan: String) throws(Refusal) {
    self.sources = sources
    listed = try Section(Self.heading, in: plan).entries
  }

  public func outcome() throws(Refusal) -> Outcome {
    var findings: [Finding] = []
    var used: Set<String> = []
    for path in sources.paths {
      guard let use = try firstUse(in: path) else { continue }
      if let entry = listed.first(where: { path == $0.path || path.hasPrefix("\($0.path)/") }) {
        used.insert(entry.path)
      } else {
        let room = path.split(separator: "/").dropLast().prefix(2).joined(separator: "/")
        findings.append(
          Finding(
            "Sources/\(path):\(use.line):\(use.column): \(use.text), but PLAN.md does not list its folder",
            kind: room))
      }
    }
    for entry in listed {
      let place = "PLAN.md:\(entry.line): \(entry.path)"
      if !used.contains(entry.path) { findings.append(Finding("\(place) has no unsafe code")) }
      if entry.reason.isEmpty { findings.append(Finding("\(place) has no reason")) }
    }
    return Outcome(findings: findings, proved: "only \(listed.count) folders have any")
  }

  private func firstUse(in path: String) throws(Refusal) -> Token? {
    guard path.hasSuffix(".swift") else { return Token(text: "C", line: 1, column: 1) }
    return Token.all(in: SourceText(try sources.text(path), .swift).code).first(where: Self.isUnsafe)
  }

  private static func isUnsafe(_ token: Token) -> Bool {
    ["@unchecked", "@safe", "Unmanaged"].contains(token.text) || token.text.hasPrefix("unsafe")
      || token.text.hasPrefix("@unsafe") || token.text.contains("Unsafe")
  }
}
