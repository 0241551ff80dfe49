import Simulator
import SimulatorStrategies
import Testing

@Suite struct `Exhaustive search` {
  @Test func `the lost update holds no more schedules than it has, and the report says all`() {
    let (outcomes, report) = SmallProgram.all[0].outcomes(Strategies.ExhaustiveDFS())
    #expect(outcomes == ["1", "2"])
    #expect(report.coverage == .everySchedule)
    #expect(report.coveredSchedules == report.schedules)
    #expect(report.description.contains("all \(report.schedules.grouped) schedules of whole steps explored"))
  }

  @Test func `a budget that ends first is no exhaustion`() {
    let (_, report) = SmallProgram.all[0].outcomes(Strategies.ExhaustiveDFS(), schedules: 10)
    #expect(report.coverage == nil)
    #expect(report.incompleteCoverage == .everySchedule)
    #expect(report.description.contains("not all schedules"))
  }

  @Test(arguments: SmallProgram.some)
  func `each schedule is run once`(_ program: SmallProgram) {
    let seen = Tapes()
    let (_, report) = program.outcomes(Strategies.ExhaustiveDFS(), into: seen, schedules: 20_000)
    #expect(seen.count == report.schedules)
  }

  @Test(arguments: SmallProgram.some, [0, 1, 2, 3])
  func `delay bounding runs exactly the schedules with so many deviations`(
    _ program: SmallProgram, _ limit: Int
  ) {
    let (all, bounded) = (Tapes(), Tapes())
    let (_, whole) = program.outcomes(Strategies.ExhaustiveDFS(), into: all, schedules: 20_000)
    guard whole.coverage == .everySchedule else { return }
    let (_, report) = program.outcomes(Strategies.DelayBounded(atMost: limit), into: bounded)
    let expected = all.tapes.filter { $0.count { $0 != 0 } <= limit }
    #expect(bounded.tapes == expected)
    #expect(bounded.count == expected.count)
    #expect(report.coverage == .deviations(atMost: limit) || report.coverage == .everySchedule)
  }

  @Test(arguments: SmallProgram.some)
  func `random search comes to nothing that brute force does not`(_ program: SmallProgram) {
    let (all, report) = program.outcomes(Strategies.ExhaustiveDFS(), schedules: 20_000)
    guard report.coverage == .everySchedule else { return }
    let (random, _) = program.outcomes(Strategies.RandomWalk(), schedules: 5_000)
    // A search in order tries one draw of random numbers.
    #expect(report.drewNumbers ? random.isStrictSuperset(of: all) : random == all)
  }

  @Test func `exhausting deviations leaves the rest of the budget to the strategy`() {
    var explorer = Explorer(name: "lost update") { _ in
      let cell = Cell()
      async let a: Void = increment(cell)
      async let b: Void = increment(cell)
      _ = await (a, b)
    }
    explorer.budget.schedules = 500
    explorer.budget.exhaustiveDeviationBound = 1
    explorer.strategy = Strategies.RandomWalk()
    let report = explorer.explore()
    #expect(report.coverage == .deviations(atMost: 1))
    #expect(report.coveredSchedules < 100)
    #expect(report.schedules == 500)
    #expect(report.description.contains("all schedules with at most 1 deviation explored"))
  }
}
