import SCTBench
import SearchTrials
import Simulator
import SimulatorStrategies

/// A program, how large its port is, and how long each strategy took.
struct Row {
  let program: SCTProgram
  /// What the original's events are. Of tasks that suspend, the visits to registers and locks, and the making and joining
  /// of threads; of those that do not, the parts between two scheduling points.
  let events: Int
  /// All steps, the ways back to the pool included; nil where steps overlap.
  let steps: Int?
  let trials: [(strategy: String, trials: Trials)]

  init(_ program: SCTProgram, _ options: Options) {
    self.program = program
    let size = Size.largest(of: program)
    // A thread is made in a visit; it is joined in none.
    let isWhole = program.steps == .atomic
    events = isWhole ? size.visits + program.threads - 1 : size.steps
    steps = isWhole ? size.steps : nil
    trials = options.strategies.compactMap { name in
      Strategies.Named.named(name).map { (name, Trials(program, $0, options)) }
    }
  }

  /// The original's events beside the port's, and in brackets all the port's steps: `12 / 13 (25)`.
  var sizes: String {
    "\(program.events.map { "\($0)" } ?? "–") / \(events)" + (steps.map { " (\($0))" } ?? "")
  }

  func published(_ strategy: String) -> String? {
    program.published[strategy].map { $0 == SCTProgram.never ? "–" : "\($0)" }
  }

  var text: String {
    let figures = trials.map { name, trials in
      "\(name) \(trials.text)" + (published(name).map { " [\($0)]" } ?? "")
    }
    return "\(program.name), events \(sizes): " + figures.joined(separator: ", ")
  }
}
