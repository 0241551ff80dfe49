import ScenarioFiles
import Simulator

extension SimulatorEngine {
  /// Throws where each execution is to have a fresh process and none can be had, before anything runs.
  func refuseWithoutFreshProcesses(_ scenarios: [Scenario]) throws(NoFreshProcesses) {
    guard scenarios.contains(where: \.search.isFresh), let why = Explorer.refusalOfFreshProcesses() else {
      return
    }
    throw NoFreshProcesses(reason: why)
  }

  /// The variants whose executions were to have fresh processes and had none, a sentence each.
  static func withoutFreshProcesses(_ result: ScenarioResult) -> [String] {
    guard result.scenario.search.isFresh else { return [] }
    return result.variants.compactMap { variant in
      guard case .one(let why?) = variant.report.processes else { return nil }
      return "\(NoFreshProcesses(reason: why)): \(result.scenario.name) \(variant.variant)"
    }
  }
}

/// The reason why `--fresh` cannot be done.
struct NoFreshProcesses: Error, CustomStringConvertible {
  let reason: String

  var description: String {
    "--fresh: no fresh process can be had: \(reason); without --fresh all schedules run in one process"
  }
}
