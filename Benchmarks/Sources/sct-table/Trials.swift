import SCTBench
import SearchTrials
import Simulator
import SimulatorStrategies

extension Trials {
  init(_ program: SCTProgram, _ strategy: Strategies.Named, _ options: Options) {
    // No thread of others is awaited at a deadlock: there are none.
    let limits = Simulation.Options(foreignThreadTimeout: .zero, steps: program.steps)
    let explorer = Explorer(name: program.name, options: limits, body: program.body)
    // What is never found need not be looked for two hundred times.
    self.init(explorer, strategy, seeds: options.seeds, cap: options.cap, patience: 20)
  }

  /// `12 ± 1`; with the share of trials that found it where some did not; a dash where none did.
  var text: String {
    guard !counts.isEmpty else { return "– (0/\(trials))" }
    let figure = "\(Int(mean.rounded())) ± \(Int(margin.rounded(.up)))"
    return isComplete ? figure : "≥ \(figure) (\(counts.count)/\(trials))"
  }
}
