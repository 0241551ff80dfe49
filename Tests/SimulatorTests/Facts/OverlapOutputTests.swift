import Foundation
import Simulator
import SimulatorStrategies
import Testing

@Suite struct `Steps that overlap while they print` {
  @Test func `wait for each other where a description takes a lock`() {
    let program = SmallProgram("two print") { _ in
      let text = LockedText()
      async let first: Void = show(text)
      async let second: Void = show(text)
      _ = await (first, second)
      return "\(text.descriptions)"
    }
    let (found, report) = program.outcomes(
      Strategies.ExhaustiveDFS(), schedules: 50_000, options: Simulation.Options(steps: .preemptible))
    #expect(found == ["2"])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
    #expect(report.violations.isEmpty)
  }
}

private func show(_ text: LockedText) async { print(text, terminator: "") }

private final class LockedText: CustomStringConvertible, @unchecked Sendable {
  // @unchecked Sendable because `number` is reached under the lock only.
  private let lock = NSLock()
  private var number = 0

  var descriptions: Int { lock.withLock { number } }

  /// Under the lock of the output nothing comes between the two.
  var description: String {
    let before = lock.withLock { number }
    lock.withLock { number = before + 1 }
    return ""
  }
}
