import Testing

@testable import Simulator
@testable import SimulatorCore
@testable import SimulatorKernel
@testable import SimulatorStrategies

/// What must happen in at least one schedule, and what in none.
@Suite struct `What must happen in some schedule` {
  private actor Names {
    private(set) var names = ""
    func write(_ name: String) { names += name }
  }

  /// Two tasks write their names, in either order; `watching` says what is to be seen of them.
  private static func twoNames(
    _ watching: @escaping @Sendable (Simulation, @escaping @Sendable () -> String) -> Void
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let board = Names()
      watching(simulation) { board.assumeIsolated { $0.names } }
      await withTaskGroup(of: Void.self) { group in
        for name in ["a", "b"] { group.addTask { await board.write(name) } }
      }
      if await board.names == "ba" { simulation.markReached("the other way round") }
    }
  }

  @Test func `is looked for after every step of every schedule`() {
    let report = explore(
      "names", schedules: 100,
      Self.twoNames { simulation, names in
        simulation.sometimes("b is first") { names() == "b" }
        simulation.sometimes("a is first") { names() == "a" }
        simulation.expectReached("the other way round")
      })
    #expect(report.holds, "\(report)")
    #expect(
      report.occurrences == ["a is first": true, "b is first": true, "the other way round": true])
  }

  @Test func `fails a search that has not seen it, which says how many schedules it has looked at`() {
    let report = explore(
      "names", schedules: 100, strategy: .randomWalk,
      Self.twoNames { simulation, names in simulation.sometimes("nobody comes") { names() == "c" } })
    #expect(!report.holds)
    #expect(report.violations.isEmpty)
    #expect(report.neverHappened == ["nobody comes"])
    #expect("\(report)".hasPrefix("names: never saw “nobody comes” in 100 schedules"))
    #expect(
      "\(report)".contains(
        "“nobody comes” never happened in 100 schedules; a longer search, or another strategy, may show it"))
  }

  @Test func `cannot happen where every schedule was tried, and that is said`() {
    let report = explore(
      "names", schedules: 1_000, strategy: .exhaustive,
      Self.twoNames { simulation, names in simulation.sometimes("nobody comes") { names() == "c" } })
    #expect(report.coverage == .everySchedule)
    #expect(
      report.neverHappenedTexts == [
        "“nobody comes” never happened in \(report.schedules) schedules, and cannot: \(report.coveredText ?? "")"
      ])
  }

  @Test func `cannot happen within a bound, and that is said`() {
    var explorer = Explorer(
      name: "names", body: Self.twoNames { simulation, _ in simulation.expectReached("the other way round") })
    explorer.budget.schedules = 1
    explorer.budget.exhaustiveDeviationBound = 0
    let report = explorer.explore()
    #expect(
      report.neverHappenedTexts.first?.contains("and cannot within this bound: the natural order explored")
        == true,
      "\(report)")
  }

  @Test
  func `may be one schedule among many behaviors that were each tried once, so that nothing is ruled out`() {
    let report = explore(
      "names", schedules: 1_000, strategy: .reduced,
      Self.twoNames { simulation, names in simulation.sometimes("nobody comes") { names() == "c" } })
    #expect(report.coverage == .everyBehavior)
    #expect(report.neverHappenedTexts.first?.contains("may show it") == true)
  }

  @Test func `may be said where it is decided`() {
    let report = explore(schedules: 50) { simulation in
      let isLucky = simulation.choose(among: [false, true])
      simulation.sometimes("luck", isLucky)
      simulation.sometimes("more than luck", isLucky && simulation.choose(among: [false]))
    }
    #expect(report.neverHappened == ["more than luck"])
  }

  @Test func `says nothing of a search that a violation has ended`() {
    let report = explore { simulation in
      simulation.expectReached("the end")
      simulation.fail("fails", "at once")
      simulation.markReached("the end of another")
    }
    #expect(report.violations.map(\.invariant) == ["fails"])
    #expect(report.neverHappened == [])
  }

  @Test func `does not change the trace`() {
    let plain = simulate(.natural, Self.twoNames { _, _ in })
    let watched = simulate(
      .natural,
      Self.twoNames { simulation, names in simulation.sometimes("a is first") { names() == "a" } })
    #expect(plain.trace.digest == watched.trace.digest)
  }

  @Test func `what no schedule may come to is a violation with its schedule`() throws {
    let report = explore { simulation in
      if simulation.choose(among: [false, true]) { simulation.unreachable("the other branch") }
    }
    let violation = try #require(report.violations.first)
    #expect(violation.invariant == "the other branch")
    #expect(violation.token.schedule.deviations.count == 1)
  }
}

@Suite(.serialized, .enabled(if: Containment.refusal == nil)) struct `What must happen, in other processes` {
  /// Each happens in one of 4,096 schedules: some most likely in a lane that another process runs.
  private static let explorer: Explorer = {
    var explorer = Explorer(name: "lanes") { simulation in
      let numbers = (0..<4).map { _ in simulation.choose(among: Array(0..<8)) }
      for rare in 0..<8 { simulation.sometimes("rare \(rare)", numbers == [rare, rare, 1, 2]) }
      if numbers[0] == 7, numbers[1] == 7 { simulation.expectReached("known late") }
    }
    explorer.budget.schedules = 6_000
    explorer.strategy = Strategies.RandomWalk()
    return explorer
  }()

  private static func occurrences(_ change: (inout Explorer) -> Void) throws -> [String: Bool] {
    let outcome: Containment.Outcome<Explorer.Report> = Containment().run(explorer) { explorer in
      change(&explorer)
      return explorer.explore()
    }
    guard case .answered(let report) = outcome else { throw CancellationError() }
    return report.occurrences
  }

  @Test func `is the same for any number of processes`() throws {
    let one = try Self.occurrences { _ in }
    #expect(one.count == 9)
    #expect(one.values.contains(true))
    #expect(one["known late"] == false)
    for jobs in [2, 3] { #expect(try Self.occurrences { $0.jobs = jobs } == one) }
  }

  @Test func `is told by executions that have a process each`() throws {
    let short = try Self.occurrences { explorer in
      explorer.budget.schedules = 70
      explorer.freshness = .everyExecution
    }
    #expect(try short == Self.occurrences { $0.budget.schedules = 70 })
  }
}
