import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// Sleeps that differ by less than a machine's jitter end in either order; how much that is, an option says.
@Suite struct `Jitter of timers` {
  private static let strategies: [any SchedulingStrategy] = [
    Strategies.ExhaustiveDFS(), Strategies.ExhaustiveReduced(), Strategies.Portfolio(),
  ]

  /// The orders in which sleeps of 10 and of 10.2 ms end.
  private func orders(
    _ strategy: any SchedulingStrategy, jitter: Duration
  ) -> (seen: Set<[Int]>, report: Explorer.Report) {
    let seen = Mutex<Set<[Int]>>([])
    var explorer = Explorer(name: "sleeps", options: Simulation.Options(timerJitter: jitter)) { simulation in
      let ended = Log<Int>()
      let sleepers = [10_000, 10_200].enumerated().map { number, length in
        Task {
          let start = simulation.now
          try await Task.sleep(for: .microseconds(length))
          if start.duration(to: simulation.now) > .microseconds(length) + jitter {
            simulation.fail("bound", "slept for \(start.duration(to: simulation.now))")
          }
          ended.append(number)
          simulation.declareAccess(to: "ended")
        }
      }
      for sleeper in sleepers { try await sleeper.value }
      seen.withLock { _ = $0.insert(ended.all) }
    }
    explorer.budget.schedules = 500
    explorer.strategy = strategy
    let report = explorer.explore()
    return (seen.withLock { $0 }, report)
  }

  @Test(arguments: strategies.indices)
  func `a sleep never ends before a shorter one, unless asked`(_ strategy: Int) {
    let (seen, report) = orders(Self.strategies[strategy], jitter: .zero)
    #expect(seen == [[0, 1]])
    #expect(report.violations.map(\.message) == [])
  }

  @Test(arguments: strategies.indices)
  func `sleeps that differ by less end in both orders, and none ends later`(_ strategy: Int) {
    let (seen, report) = orders(Self.strategies[strategy], jitter: .microseconds(500))
    #expect(seen == [[0, 1], [1, 0]])
    #expect(report.violations.map(\.message) == [])
  }

  @Test(arguments: strategies.indices)
  func `sleeps that differ by more end in their order`(_ strategy: Int) {
    #expect(orders(Self.strategies[strategy], jitter: .microseconds(100)).seen == [[0, 1]])
  }

  @Test func `what was covered says that times were ranges`() {
    let report = orders(Strategies.ExhaustiveDFS(), jitter: .microseconds(500)).report
    #expect(report.coverage == .everySchedule)
    #expect(report.coveredText?.contains("ranges of time ending at either end or where time stops") == true)
  }

  @Test func `a violation that needs it replays with it`() throws {
    var explorer = Explorer(
      name: "sleeps", options: Simulation.Options(timerJitter: .microseconds(500))
    ) { simulation in
      let last = Mutex(0)
      async let short: Void = Task.sleep(for: .microseconds(10_000))
      let long = Task {
        try await Task.sleep(for: .microseconds(10_200))
        last.withLock { $0 = 2 }
      }
      try await short
      if last.withLock({ $0 }) == 2 { simulation.fail("order", "the longer sleep has ended first") }
      try await long.value
    }
    explorer.budget.schedules = 500
    let violation = try #require(explorer.explore().violations.first)
    #expect(violation.invariant == "order")
    #expect(violation.shrinking?.reproduced == violation.shrinking?.replayed)
  }
}
