import SCTBench
import Simulator

/// A program, how large its port is, and how long each strategy took.
struct Row {
  let program: SCTProgram
  /// The steps of the natural order on a domain: accesses to registers and locks.
  let accesses: Int
  /// All its steps.
  let steps: Int
  let trials: [(strategy: String, trials: Trials)]

  init(_ program: SCTProgram, _ options: Options) {
    self.program = program
    let execution = simulate { await program.body($0) }
    steps = execution.steps
    accesses = execution.trace.events.count { $0.kind == .step && $0.domain != 0 }
    trials = options.strategies.compactMap { name in
      NamedStrategy.named(name).map { (name, Trials(program, $0, options)) }
    }
  }

  /// The original's events beside ours: `12 / 9 (25)`, accesses and, in brackets, all steps.
  var events: String { "\(program.events.map { "\($0)" } ?? "–") / \(accesses) (\(steps))" }

  func published(_ strategy: String) -> String? {
    program.published[strategy].map { $0 == SCTProgram.never ? "–" : "\($0)" }
  }

  var text: String {
    let figures = trials.map { name, trials in
      "\(name) \(trials.text)" + (published(name).map { " [\($0)]" } ?? "")
    }
    return "\(program.name), events \(events): " + figures.joined(separator: ", ")
  }
}
