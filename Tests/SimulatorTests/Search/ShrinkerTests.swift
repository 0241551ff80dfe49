import Simulator
import SimulatorStrategies
import Testing

/// A violation comes with the smallest schedule that shows it.
@Suite struct `Shrinking a schedule` {
  /// Two tasks read, hop and write; by nature the second begins late enough to lose nothing.
  @Sendable static func lateIncrement(_ simulation: Simulation) async throws {
    let counter = Counter()
    async let first: Void = counter.set(counter.value + 1)
    async let second: Void = increment(counter, afterYields: 4)
    _ = await (first, second)
    if await counter.value != 2 { simulation.fail("no update is lost", "two increments, one counted") }
  }

  /// The same, with so many steps that executions are counted one by one.
  @Sendable private static func longIncrement(_ simulation: Simulation) async throws {
    async let bystander: Void = { for _ in 0..<300 { await Task.yield() } }()
    try await lateIncrement(simulation)
    await bystander
  }

  @Test func `of short executions more are spent, as many steps as of long ones`() throws {
    let short = try #require(search(seed: 2, shrinking: 2, Self.lateIncrement).violations.first?.shrinking)
    #expect(short.executions > 2)
  }

  private static func increment(_ counter: Counter, afterYields yields: Int) async {
    for _ in 0..<yields { await Task.yield() }
    await counter.set(counter.value + 1)
  }

  private func search(
    seed: UInt64 = 0, shrinking: Int = 2_000, _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) -> Explorer.Report {
    var explorer = Explorer(name: "test", body: body)
    explorer.seed = seed
    explorer.strategy = Strategies.RandomWalk()
    explorer.budget.shrinkingExecutions = shrinking
    return explorer.explore()
  }

  @Test(arguments: [0, 1, 2, 3, 4] as [UInt64])
  func `no schedule with fewer deviations violates, tried one by one`(seed: UInt64) throws {
    let violation = try #require(search(seed: seed, Self.lateIncrement).violations.first)
    let shrinking = try #require(violation.shrinking)
    let left = violation.token.schedule.deviations.count
    #expect(left < shrinking.originalSchedule.deviations.count || left == 1)
    #expect(shrinking.reproduced == 10)
    var tried = 0
    var schedules = [Schedule.natural]
    for _ in 0..<left {
      var next: [Schedule] = []
      for schedule in schedules {
        let execution = simulate(schedule, Self.lateIncrement)
        tried += 1
        #expect(execution.violations.isEmpty, "\(execution.token)")
        next += schedule.children(execution.choices)
      }
      schedules = next
    }
    #expect(shrinking.minimality == .proved(tried: tried))
  }

  @Test func `every seed shrinks to schedules of one size`() {
    let sizes = (0..<10).map { seed in
      search(seed: seed, Self.lateIncrement).violations.first?.token.schedule.deviations.count
    }
    #expect(Set(sizes).count == 1)
  }

  @Test func `the same search shrinks to the same schedule at the same cost`() {
    let texts = (0..<2).map { _ in search(seed: 3, Self.lateIncrement).description }
    #expect(texts[0] == texts[1])
  }

  @Test func `the replay of the smaller schedule does not diverge and violates the same invariant`() throws {
    let violation = try #require(search(seed: 1, Self.lateIncrement).violations.first)
    let result = Explorer(name: "test", body: Self.lateIncrement).replay(violation.token)
    #expect(result.divergence == nil)
    #expect(result.execution.violations.map(\.invariant) == ["no update is lost"])
  }

  @Test func `no more executions are spent than are allowed, and none when none are`() throws {
    let few = try #require(search(seed: 2, shrinking: 20, Self.longIncrement).violations.first?.shrinking)
    #expect(few.executions == 20)
    let report = search(seed: 2, shrinking: 0, Self.lateIncrement)
    #expect(report.violations.map(\.invariant) == ["no update is lost"])
    #expect(report.violations.first?.shrinking == nil)
  }

  @Test
  func `a long schedule loses what it does not need even where trying all shorter ones is out of reach`()
    throws
  {
    let report = search(shrinking: 120) { simulation in
      let noise = (1...12).map { _ in Task { for _ in 0..<4 { await Task.yield() } } }
      let log = Log<Int>()
      let racers = (1...2).map { number in
        Task {
          for _ in 0..<3 { await Task.yield() }
          log.append(number)
        }
      }
      for task in noise + racers { await task.value }
      if log.all == [2, 1] { simulation.fail("in order", "\(log.all)") }
    }
    let violation = try #require(report.violations.first)
    let shrinking = try #require(violation.shrinking)
    #expect(shrinking.originalSchedule.deviations.count > 20)
    #expect(violation.token.schedule.deviations.count <= 2)
  }

  @Test func `each of two violations shrinks to a schedule of its own`() throws {
    let report = exhaust { simulation in
      let log = Log<Int>()
      let tasks = (1...4).map { number in Task { log.append(number) } }
      for task in tasks { await task.value }
      if log.all.first == 3 { simulation.fail("three is not first", "\(log.all)") }
      if log.all.last == 1 { simulation.fail("one is not last", "\(log.all)") }
    }
    let deviations = report.violations.map { ($0.invariant, $0.token.schedule.deviations.count) }
    let counts = Dictionary(uniqueKeysWithValues: deviations)
    #expect(counts == ["three is not first": 1, "one is not last": 3])
  }

  @Test func `the nearest passing run differs in one choice and holds`() throws {
    let violation = try #require(search(seed: 1, Self.lateIncrement).violations.first)
    let nearest = try #require(violation.shrinking?.nearestPassing)
    let execution = simulate(nearest.token.schedule, Self.lateIncrement)
    #expect(execution.violations.isEmpty)
    #expect(execution.trace.shortDigest == nearest.token.digest)
    let failing = Set(violation.token.schedule.deviations)
    #expect(failing.subtracting(nearest.token.schedule.deviations).count == 1)
    #expect(nearest.agreed > 0)
    #expect(nearest.passing != nearest.failing)
  }

  @Test func `a violation of the natural order needs no deviation`() throws {
    let report = explore { simulation in
      await Task.yield()
      simulation.fail("always", "broken")
    }
    let shrinking = try #require(report.violations.first?.shrinking)
    #expect(shrinking.minimality == .proved(tried: 0))
    #expect(shrinking.deviations.isEmpty)
  }
}

extension Schedule {
  /// Every schedule with one deviation more, behind the last, given the choices that this one leads to.
  fileprivate func children(_ choices: [Schedule.Choice]) -> [Schedule] {
    let first = deviations.last.map { $0.position + 1 } ?? 0
    return choices.indices.dropFirst(first).flatMap { position in
      (1..<choices[position].options).map { taken in
        let deviation = Deviation(position: position, taken: taken, options: choices[position].options)
        return Schedule(deviations: deviations + [deviation])
      }
    }
  }
}
