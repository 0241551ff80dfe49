import Simulator
import Testing

/// Names as they were before 0.1.0 still do what they did. A witness of a protocol may use them without a warning.
@Suite struct FormerNameTests {
  @Test func `former options, budgets and fakes are the ones of today`() {
    let former: any FormerNames = Former()
    let options = former.options
    #expect(options.stepLimitPerInstant == 7)
    #expect(options.foreignThreadTimeout == .zero)
    #expect(options.forbidsOutlivingTasks)
    #expect(options.steps == .preemptible)
    let budget = former.budget
    #expect(budget.violationsToFind == nil)
    #expect(budget.shrinkingExecutions == 3)
    #expect(budget.exhaustiveDeviationBound == 2)
    #expect(former.behavior.arrivalDelay == .seconds(1))
    #expect(former.behavior.faults == [.noFault, .torn])
    #expect(former.schedule.hasPreemptibleSteps)
  }

  @Test func `a program with former names explores as before`() {
    let former: any FormerNames = Former()
    let report = Explorer(name: "former", body: { await former.run(in: $0) }).explore()
    #expect(report.occurrences == ["reached": true])
    #expect(report.holds)
    #expect(former.facts(of: report))
    let execution = simulate { await former.run(in: $0) }
    #expect(former.end(of: execution) == VirtualInstant(nanoseconds: 3_000_000_000))
  }
}

private protocol FormerNames: Sendable {
  var options: Simulation.Options { get }
  var budget: Explorer.Budget { get }
  var behavior: FakeBehavior { get }
  var schedule: Schedule { get }
  func run(in simulation: Simulation) async
  func facts(of report: Explorer.Report) -> Bool
  func end(of execution: Simulation.Execution) -> VirtualInstant
}

private struct Former: FormerNames {
  @available(*, deprecated) var options: Simulation.Options {
    Simulation.Options(
      stepsAtOneInstant: 7, patience: .zero, steps: .overlapping, outlivingIsViolation: true)
  }

  @available(*, deprecated) var budget: Explorer.Budget {
    var budget = Explorer.Budget()
    budget.stopsAfter = nil
    budget.shrinking = 3
    budget.exhaustsDeviations = 2
    return budget
  }

  @available(*, deprecated) var behavior: FakeBehavior {
    FakeBehavior(reaches: .seconds(1), delay: .seconds(2), faults: [.never, .torn])
  }

  @available(*, deprecated) var schedule: Schedule { Schedule(deviations: [], overlaps: true) }

  @available(*, deprecated) func run(in simulation: Simulation) async {
    simulation.reachable("reached")
    let network = FakeNetwork(reaches: .seconds(1), delay: .seconds(2), faults: [.never])
    _ = try? await network.send(FakeNetwork.Request("GET", "/"))
    simulation.access("board")
    if network.calls.first?.reaches == .seconds(1)...(.seconds(1)) { simulation.reached("reached") }
  }

  @available(*, deprecated) func facts(of report: Explorer.Report) -> Bool {
    !report.overlaps && !report.metRange && !report.choseAtOnce && !report.lookedAway
      && !report.leftUnfairOut && !report.contradiction && report.unjudged == 0 && report.sampled == 0
      && report.unseen == nil && report.unfinished == nil && report.shortfall == nil
      && report.vacuous == report.vacuousInvariants
  }

  @available(*, deprecated) func end(of execution: Simulation.Execution) -> VirtualInstant { execution.end }
}
