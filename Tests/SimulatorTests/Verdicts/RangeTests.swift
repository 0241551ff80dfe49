import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// A time that is a range ends where it matters: the decision is made when time is about to move.
@Suite struct `Ranges of time` {
  /// A poller that sleeps 4 × 1 s beside a user who acts after 0…10 s.
  @Sendable static func ticks(_ simulation: Simulation) async throws -> Int {
    let ticks = Log<Int>()
    let user = FakeNetwork(delay: .between(.zero, and: .seconds(10)), named: "user")
    let poller = Task {
      for tick in 1...4 {
        try await Task.sleep(for: .seconds(1))
        ticks.append(tick)
        simulation.declareAccess(to: "ticks")
      }
    }
    try await user.exchange("acts") { _ in }
    simulation.declareAccess(to: "ticks")
    poller.cancel()
    return ticks.all.count
  }

  static let systematic: [any SchedulingStrategy] = [
    Strategies.ExhaustiveDFS(), Strategies.ExhaustiveReduced(),
  ]

  @Test(arguments: systematic.indices)
  func `a poller ticks any number of times before the user acts`(_ strategy: Int) {
    let (seen, report) = search(Self.systematic[strategy], Self.ticks)
    #expect(seen == [0, 1, 2, 3, 4])
    #expect(report.coverage == (strategy == 0 ? .everySchedule : .everyBehavior))
  }

  @Test func `an end in the middle of a range costs two deviations at most`() {
    let (seen, report) = search(Strategies.DelayBounded(atMost: 2), Self.ticks)
    #expect(seen == [0, 1, 2, 3, 4])
    #expect(report.coverage == .deviations(atMost: 2))
  }

  @Test func `a checkout whose price changes while the buyer thinks is found`() {
    let (seen, _) = search(Strategies.ExhaustiveDFS()) { simulation in
      let shop = Shop()
      let sale = Task {
        try await Task.sleep(for: .seconds(2))
        await shop.set(price: 80)
        try await Task.sleep(for: .seconds(2))
        await shop.set(price: 120)
      }
      let buyer = FakeNetwork(delay: .between(.seconds(1), and: .seconds(9)), named: "buyer")
      try await buyer.exchange("thinks") { _ in }
      let paid = await shop.price
      sale.cancel()
      return paid
    }
    #expect(seen == [100, 80, 120])
  }

  @Test func `a connection that is used again just before it is closed is found`() {
    let (seen, _) = search(Strategies.ExhaustiveDFS()) { simulation in
      let pool = ConnectionPool()
      let network = FakeNetwork(delay: .between(.seconds(1), and: .seconds(20)), named: "caller")
      await pool.open()
      let sweeper = Task {
        for _ in 1...3 {
          try await Task.sleep(for: .seconds(5))
          await pool.sweep()
        }
      }
      try await network.exchange("comes back") { _ in }
      let answer = await pool.use()
      try await Task.sleep(for: .seconds(1))
      sweeper.cancel()
      return answer
    }
    // The second sweep closes what the first has marked: a use between the two is the bug.
    #expect(seen == ["fresh", "marked, and used", "closed"])
  }

  /// Both are set before the range's neighbors are, one of which is set in the middle of it.
  @Test func `every order of ranges and other timers is reached, with two deviations for a timer`() {
    let program: @Sendable (Simulation) async throws -> String = { simulation in
      let log = Log<String>()
      let ranges = [(1, 9, "a"), (2, 8, "b")].map { low, high, name in
        Task {
          try await Simulation.sleep(in: .seconds(low)...(.seconds(high)))
          log.append(name)
        }
      }
      try await Task.sleep(for: .seconds(3))
      log.append("3")
      try await Task.sleep(for: .seconds(2))
      log.append("5")
      for range in ranges { try await range.value }
      return log.all.joined()
    }
    let orders = Set(
      permutations(["3", "5", "a", "b"]).map { $0.joined() }.filter {
        $0.firstIndex(of: "3")! < $0.firstIndex(of: "5")!
      })
    #expect(search(Strategies.ExhaustiveDFS(), program).seen == orders)
    #expect(search(Strategies.DelayBounded(atMost: 4), program).seen == orders)
  }

  @Test func `random strategies draw a moment from the whole range`() {
    for strategy in [Strategies.RandomWalk(), Strategies.POS(), Strategies.SURW(), Strategies.PCT()]
      as [any SchedulingStrategy]
    {
      let (seen, report) = search(strategy, schedules: 400) { simulation in
        let ticks = Log<Int>()
        let clock = Task {
          for tick in 1...20 {
            try await Task.sleep(for: .seconds(1))
            ticks.append(tick)
          }
        }
        try await Simulation.sleep(in: .milliseconds(500)...(.milliseconds(20_500)))
        clock.cancel()
        return ticks.all.count
      }
      #expect(report.schedules == 400)
      #expect(seen.count > 15, "\(strategy): \(seen.sorted())")
    }
  }

  @Test func `a tolerance is a range, and without one a sleep is exact`() {
    for (index, sleep) in Self.tolerant.enumerated() {
      let (seen, _) = search(Strategies.ExhaustiveDFS()) { simulation in
        let other = Task { try await Task.sleep(for: .milliseconds(2_500)) }
        try await sleep()
        let end = simulation.now.nanoseconds / 1_000_000
        try await other.value
        return end
      }
      #expect(seen == [2_000, 2_500, 3_000], "\(index)")
    }
    #expect(simulate { _ in try await Task.sleep(for: .seconds(2)) }.choices.isEmpty)
  }

  private static let tolerant: [@Sendable () async throws -> Void] = [
    { try await Task.sleep(for: .seconds(2), tolerance: .seconds(1)) },
    { try await Task.sleep(for: .seconds(2), tolerance: .seconds(1), clock: .suspending) },
    { try await Task.sleep(until: .now + .seconds(2), tolerance: .seconds(1), clock: .continuous) },
    { try await ContinuousClock().sleep(for: .seconds(2), tolerance: .seconds(1)) },
    { try await SuspendingClock().sleep(until: .now + .seconds(2), tolerance: .seconds(1)) },
    { try await VirtualClock().sleep(for: .seconds(2), tolerance: .seconds(1)) },
    { try await Simulation.sleep(in: .seconds(2)...(.seconds(3))) },
  ]

  @Test func `a sleep that was put off and is cancelled delays nothing`() {
    let (seen, report) = search(Strategies.ExhaustiveDFS()) { simulation in
      let sleeper = Task { try await Simulation.sleep(in: .seconds(1)...(.seconds(50))) }
      try await Task.sleep(for: .seconds(2))
      sleeper.cancel()
      let isCancelled = await sleeper.result.isFailure
      try await Task.sleep(for: .seconds(1))
      return "\(isCancelled) \(simulation.now)"
    }
    #expect(seen == ["false 3 s", "true 3 s"])
    #expect(report.coverage == .everySchedule)
    #expect(report.violations.isEmpty)
  }

  @Test func `a violation says how long a call took instead, and replays`() throws {
    let body: @Sendable (Simulation) async throws -> Void = { simulation in
      let count = try await Self.ticks(simulation)
      if count == 2 { simulation.fail("never two", "two ticks") }
    }
    let violation = try #require(explore("two", body).violations.first)
    let shrinking = try #require(violation.shrinking)
    #expect(shrinking.deviations.count == 2)
    #expect(shrinking.deviations.allSatisfy { $0.contains("acts: ") })
    #expect(shrinking.deviations[0].hasSuffix(" instead of 0 s"))
    #expect(shrinking.deviations[1].hasSuffix(" instead of 10 s"))
    #expect(Explorer(name: "two", body: body).replay(violation.token).divergence == nil)
  }
}

extension Result {
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}

/// Every result of `body` under `strategy`, and the report.
private func search<Result: Hashable & Sendable>(
  _ strategy: any SchedulingStrategy, schedules: Int = 20_000,
  _ body: @escaping @Sendable (Simulation) async throws -> Result
) -> (seen: Set<Result>, report: Explorer.Report) {
  let seen = Mutex<Set<Result>>([])
  var explorer = Explorer(name: "ranges") { simulation in
    let result = try await body(simulation)
    if !Task.isCancelled { seen.withLock { _ = $0.insert(result) } }
  }
  explorer.budget.schedules = schedules
  explorer.budget.violationsToFind = nil
  explorer.strategy = strategy
  let report = explorer.explore()
  return (seen.withLock { $0 }, report)
}

private actor Shop {
  private(set) var price = 100
  func set(price: Int) { self.price = price }
}

private actor ConnectionPool {
  private enum Connection { case fresh, marked, closed }
  private var connection = Connection.closed

  func open() { connection = .fresh }

  func sweep() { connection = connection == .fresh ? .marked : .closed }

  func use() -> String {
    switch connection {
    case .fresh: "fresh"
    case .marked: "marked, and used"
    case .closed: "closed"
    }
  }
}
