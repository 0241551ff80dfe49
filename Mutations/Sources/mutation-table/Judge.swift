import Foundation
import Mutator

/// Runs the scenarios of one system against mutants of some of its variants.
struct Judge: Sendable {
  let tool: String
  let system: CatalogSystem
  /// The scenarios with those variants only.
  let scenarios: String
  /// Seconds.
  let limit: Int
  /// Further runs of the tool, in which `SYSTEM` stands for the system's name.
  let others: [[String]]

  /// Runs the original, which must be as expected.
  init(
    _ system: CatalogSystem, variants: Set<String>, files: ScenarioFiles, tool: String, others: [[String]]
  ) async throws {
    self.tool = tool
    self.system = system
    self.others = others
    guard let scenarios = try files.write(system.name, variants: variants) else {
      throw Failure(description: "no scenario is about \(system.name)")
    }
    self.scenarios = scenarios
    let clock = ContinuousClock()
    let start = clock.now
    let (result, report) = try await Self.play(0, scenarios, tool, limit: 600)
    guard let report else {
      throw Failure(description: "\(system.name) cannot be run: \(result.text.suffix(2000))")
    }
    if let complaint = report.complaint {
      throw Failure(description: "\(system.name) without a mutation: \(complaint.text)")
    }
    limit = 60 + 10 * Int((clock.now - start) / .seconds(1))
  }

  func verdict(on mutant: Int) async throws -> Verdict {
    let (result, report) = try await Self.play(mutant, scenarios, tool, limit: limit)
    if let complaint = report?.complaint { return complaint }
    if result.status == 124 || result.status == 137 { return .timeout }
    guard report != nil, result.status <= 1 else { return .broken(status: result.status) }
    for arguments in others {
      let words = arguments.map { $0.replacing("SYSTEM", with: system.name) }
      let result = try await Command(arguments: [tool] + words, environment: ["MUTANT": "\(mutant)"]).run(
        limit: limit)
      if result.status == 1 { return .killed(scenario: words.joined(separator: " "), reason: "status 1") }
    }
    return .survived
  }

  private static func play(
    _ mutant: Int, _ scenarios: String, _ tool: String, limit: Int
  ) async throws -> (Command.Result, Report?) {
    let result = try await Command(
      arguments: [tool, "--holding", "--strict", "--jobs", "1", "--format", "json", scenarios],
      environment: ["MUTANT": "\(mutant)"]
    )
    .run(limit: limit)
    return (result, try? JSONDecoder().decode(Report.self, from: result.output))
  }
}
