/// No identifier of the engine contains a word that PLAN.md has replaced by another.
public struct WordCheck {
  static let heading = "Words"
  /// The folders of `Sources` that hold the engine.
  public static let engine = [
    "CConcurrencyHooks/", "CProcesses/", "SimulatorCore/", "SimulatorKernel/",
    "SimulatorStrategies/", "SimulatorStrategyInterface/", "Simulator/Exploration/", "Simulator/Processes/",
  ]

  private let rooms: [String]
  private let sources: Sources
  private let replaced: [String: String]

  public init(sources: Sources, plan: String, rooms: [String] = Self.engine) throws(Refusal) {
    self.sources = sources
    self.rooms = rooms
    let entries = try Section(Self.heading, in: plan, below: "").entries
    replaced = Dictionary(entries.map { ($0.path, $0.reason) }) { first, _ in first }
  }

  public func outcome() throws(Refusal) -> Outcome {
    var findings: [Finding] = []
    for path in sources.paths where rooms.contains(where: path.hasPrefix) {
      let text = try sources.text(path)
      let code = SourceText(text, path.hasSuffix(".swift") ? .swift : .c).code
      for token in Token.all(in: code) {
        for part in Self.parts(of: token.text) {
          guard let better = replaced[part] else { continue }
          let place = "Sources/\(path):\(token.line)"
          findings.append(Finding("\(place): \(token.text): say \(better), not \(part)"))
        }
      }
    }
    return Outcome(
      findings: findings, proved: "no identifier of the engine contains any of \(replaced.count) old words")
  }

  /// The words of `ch_own_driver` or `ownDriver`, in lower case.
  static func parts(of name: String) -> [String] {
    var parts: [String] = []
    for character in name {
      if character == "_" {
        parts.append("")
      } else if parts.isEmpty || character.isUppercase {
        parts.append(character.lowercased())
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.filter { !$0.isEmpty }
  }
}
