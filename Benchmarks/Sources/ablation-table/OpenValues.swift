import Simulator
import SimulatorStrategies
import Synchronization

/// Whether more than the order of steps is open in the natural order of a program: then the portfolio has another rotation.
struct OpenValues: Strategies.StartsNaturally {
  private final class Answer: Sendable {
    let isYes = Mutex(false)
  }

  private let answer: Answer

  static func areMet(by program: Explorer) -> Bool {
    let answer = Answer()
    var explorer = program
    explorer.budget.schedules = 1
    explorer.budget.shrinkingExecutions = 0
    explorer.checksDeterminism = false
    explorer.strategy = OpenValues(answer: answer)
    _ = explorer.explore()
    return answer.isYes.withLock(\.self)
  }

  mutating func began(_ number: Int, seed: UInt64) {}

  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
    if point.anytime > 0 || (point.kind != .order && point.kind != .preemption) {
      answer.isYes.withLock { $0 = true }
    }
    return .option(0)
  }

  mutating func ended(_ summary: Strategies.ExecutionSummary) {}
}
