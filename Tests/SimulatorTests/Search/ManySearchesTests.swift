import SimulatorStrategies
import Testing

@testable import SimulatorCore
@testable import SimulatorKernel

@Suite struct `Many searches in one process` {
  @Test func `leave room for others once they are over, even if what they left behind keeps them`() {
    let runners = (0..<300).map { _ in
      let runner = Runner(options: Simulation.Options()) { _ in await Task.yield() }
      let outcome = runner.execute(0, seed: 0, keepingEvents: false)
      #expect(outcome.summary.steps > 0)
      runner.end()
      return runner
    }
    #expect(runners.count == 300)
  }
}
