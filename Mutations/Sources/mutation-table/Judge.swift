import Foundation
import Mutator

/// Plays the scenarios of one system, and stories that are made up, against mutants of some of its variants.
struct Judge: Sendable {
  let tool: String
  let system: CatalogSystem
  /// What the tool is called with, one after the other, with those variants only.
  let runs: [[String]]
  /// What the original does not put to the test, of each scenario.
  let untested: [String: Set<String>]
  /// Seconds.
  let limit: Int
  /// Further runs of the tool, in which `SYSTEM` stands for the system's name.
  let others: [[String]]

  /// Runs the original, which must be as expected. `stories` are drawn for each variant.
  init(
    _ system: CatalogSystem, variants: Set<String>, files: ScenarioFiles, tool: String, stories: Int,
    others: [[String]]
  ) async throws {
    self.tool = tool
    self.system = system
    self.others = others
    guard let scenarios = try files.write(system.name, variants: variants) else {
      throw Failure(description: "no scenario is about \(system.name)")
    }
    runs = [["--holding", scenarios]] + Self.fuzz(system.name, variants, stories)
    var untested: [String: Set<String>] = [:]
    let clock = ContinuousClock()
    let start = clock.now
    for run in runs {
      let (result, report) = try await Self.play(0, run, tool, limit: 600)
      guard let report else {
        throw Failure(description: "\(system.name) cannot be run: \(result.text.suffix(2000))")
      }
      if let complaint = report.complaint() {
        throw Failure(description: "\(system.name) without a mutation: \(complaint.text)")
      }
      untested.merge(report.untested) { $0.union($1) }
    }
    self.untested = untested
    limit = 60 + 10 * Int((clock.now - start) / .seconds(1))
  }

  private static func fuzz(_ system: String, _ variants: Set<String>, _ stories: Int) -> [[String]] {
    guard stories > 0 else { return [] }
    return [
      ["fuzz", system, "--schedules", "\(stories)"]
        + variants.sorted().flatMap { ["--variant", $0] }
    ]
  }

  func verdict(on mutant: Int) async throws -> Verdict {
    for run in runs {
      let (result, report) = try await Self.play(mutant, run, tool, limit: limit)
      if let complaint = report?.complaint(besides: untested) { return complaint }
      if result.status == 124 || result.status == 137 { return .timeout }
      guard report != nil, result.status <= 1 else { return .broken(status: result.status) }
    }
    for arguments in others {
      let words = arguments.map { $0.replacing("SYSTEM", with: system.name) }
      let result = try await Command(arguments: [tool] + words, environment: ["MUTANT": "\(mutant)"]).run(
        limit: limit)
      if result.status == 1 { return .killed(scenario: words.joined(separator: " "), reason: "status 1") }
    }
    return .survived
  }

  private static func play(
    _ mutant: Int, _ run: [String], _ tool: String, limit: Int
  ) async throws -> (Command.Result, Report?) {
    let result = try await Command(
      arguments: [tool] + run + ["--strict", "--jobs", "1", "--format", "json"],
      environment: ["MUTANT": "\(mutant)"]
    )
    .run(limit: limit)
    return (result, try? JSONDecoder().decode(Report.self, from: result.output))
  }
}
