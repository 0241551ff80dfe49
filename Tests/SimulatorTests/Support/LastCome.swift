import Simulator
import SimulatorStrategies

/// The example of the documentation of `SchedulingStrategy`.
struct LastCome: SchedulingStrategy {
  mutating func began(_ number: Int, seed: UInt64) {}
  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
    .option(point.kind == .order && !point.atTimer ? point.options - point.anytime - 1 : 0)
  }
  mutating func ended(_ summary: Strategies.ExecutionSummary) {}
}
