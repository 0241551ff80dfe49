import ScenarioFiles
import Simulator

extension SimulatorEngine {
  func outcomes(
    of scenarios: [Scenario], _ settings: PoolSettings, on terminal: Terminal
  ) throws -> [[SeenOutcome]] {
    try RuntimeControl.verify()
    var seen: [[SeenOutcome]] = []
    let ending = try play(scenarios.map(\.searchedWhole), settings, on: terminal) { _, result in
      seen.append(result.variants.map { SeenOutcome($0) })
    }
    if case .signal(let signal) = ending.reason { throw Interruption(signal: signal) }
    return seen
  }
}
