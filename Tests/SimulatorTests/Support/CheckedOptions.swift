import Simulator
import TestEffort

extension Simulation.Options {
  /// The same, with the engine's tables checked before each step where a test may take minutes.
  var checked: Self {
    var options = self
    options.checksInvariants = triesMore
    return options
  }
}
