public import ScenarioFiles
public import Simulator

/// One variant of a scenario of a file, as bodies that can be explored, for this package's own benchmarks.
@_spi(Benchmarks) public struct MeasuredScenario: Sendable {
  /// The limits of an execution.
  public let options: Simulation.Options
  /// The body that a search explores.
  public let body: @Sendable (Simulation) async throws -> Void
  /// The body, with nothing observed and nothing judged.
  public let unjudged: @Sendable (Simulation) async throws -> Void

  /// The variant `variant` of the scenario `name`, which stands in `file` itself.
  public init(_ name: String, _ variant: String, in file: String, systems: [any System.Type]) throws {
    let vocabulary = Vocabulary(systems: systems.map { $0.descriptor })
    let scenarios = try ScenarioFile(at: file, in: vocabulary).scenarios
    guard let scenario = scenarios.first(where: { $0.name == name }) else {
      throw UnknownName("scenario", name)
    }
    guard let type = systems.first(where: { $0.descriptor.name == scenario.system }) else {
      throw UnknownName("system", scenario.system)
    }
    options = scenario.executionOptions
    body = scenario.body(variant, of: type)
    unjudged = scenario.body(variant, of: type, isJudged: false)
  }
}
