import Simulator
import SimulatorStrategies
import Synchronization
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// What a store holds is read when the store says that it has changed. That may hide nothing.
@Suite struct `What the catalog's systems show` {
  @Test(arguments: Catalogued.some)
  func `changes in the same steps and domains, whether all is read after each step or only what has changed`(
    scenario: Scenario
  ) {
    for expectation in scenario.expectations {
      let body = scenario.body(expectation.variant, of: scenario.type)
      for schedule in schedules(of: scenario, expectation.variant) {
        var options = scenario.executionOptions
        // A simulation of another test may hold a queue or a lock of Foundation's just now: what differs must differ always.
        let differsAlways = (0..<5).allSatisfy { _ in
          options.readsEverything = false
          let usual = simulate(schedule, options: options, body)
          options.readsEverything = true
          let whole = simulate(schedule, options: options, body)
          return changes(usual) != changes(whole) || usual.trace.digest != whole.trace.digest
        }
        #expect(!differsAlways, "\(scenario.name) \(expectation.variant)")
      }
    }
  }

  /// Some schedules, drawn by chance.
  private func schedules(of scenario: Scenario, _ variant: String) -> [Schedule] {
    let drawn = Mutex<[Schedule]>([])
    var explorer = ScenarioRunner(scenario: scenario, type: scenario.type).explorer(variant)
    explorer.checksDeterminism = false
    explorer.strategy = Strategies.RandomWalk()
    explorer.budget = Explorer.Budget()
    explorer.budget.schedules = 8
    explorer.budget.violationsToFind = nil
    explorer.budget.shrinkingExecutions = 0
    explorer.tried = { choices in
      let deviations = choices.enumerated().compactMap { position, choice in
        choice.taken == 0
          ? nil : Schedule.Deviation(position: position, taken: choice.taken, options: choice.options)
      }
      drawn.withLock { $0.append(Schedule(deviations: deviations)) }
    }
    let overlaps = explorer.explore().hasPreemptibleSteps
    return drawn.withLock { $0.map { Schedule(deviations: $0.deviations, hasPreemptibleSteps: overlaps) } }
  }

  private func changes(_ execution: Simulation.Execution) -> [Trace.Event] {
    execution.trace.events.filter { event in
      if case .changed = event.kind { true } else { false }
    }
  }
}
