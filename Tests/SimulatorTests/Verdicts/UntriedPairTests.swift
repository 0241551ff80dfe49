import Dispatch
import Simulator
import SimulatorStrategies
import Testing

@testable import Simulator

/// Ends of timers that could have come at the same instant, and which no schedule has brought together.
@Suite struct `Pairs of ends that were never brought together` {
  private func report(
    schedules: Int = 300, under strategy: (any SchedulingStrategy)? = nil,
    options: Simulation.Options = Simulation.Options(),
    changed change: (inout Explorer) -> Void = { _ in },
    _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) -> Explorer.Report {
    var explorer = Explorer(name: "ends", options: options, body: body)
    explorer.budget.schedules = schedules
    if let strategy { explorer.strategy = strategy }
    change(&explorer)
    return explorer.explore()
  }

  /// A child that sleeps for 1 to 9 s, and a root that sleeps for 5 s.
  @Sendable private static func rangeAndTimer(_: Simulation) async throws {
    let child = Task { try await Simulation.sleep(in: .seconds(1)...(.seconds(9))) }
    try await Task.sleep(for: .seconds(5))
    _ = await child.result
  }

  @Test func `one schedule leaves a range and a timer apart, and the report names them`() {
    let report = report(schedules: 1, Self.rangeAndTimer)
    #expect(
      report.untriedPairs
        == Explorer.UntriedPairs(
          count: 1, mayBeMore: false, examples: ["the sleep of root with the sleep of task 1"]))
    #expect(
      report.description.contains(
        "; 1 pair of ends was never brought together: the sleep of root with the sleep of task 1"))
    #expect(report.holds)
  }

  @Test func `random schedules bring a range and a timer together`() {
    let report = report(Self.rangeAndTimer)
    #expect(report.untriedPairs == nil)
    #expect(!report.description.contains("brought together"))
  }

  @Test func `it makes no difference which of them is set first`() {
    let body: @Sendable (Simulation) async throws -> Void = { _ in
      let timer = Task { try await Task.sleep(for: .seconds(5)) }
      await Task.yield()
      try await Simulation.sleep(in: .seconds(1)...(.seconds(9)))
      _ = await timer.result
    }
    #expect(report(schedules: 1, body).untriedPairs?.count == 1)
    #expect(report(body).untriedPairs == nil)
  }

  @Test func `two ranges are a pair`() {
    let body: @Sendable (Simulation) async throws -> Void = { _ in
      let child = Task { try await Simulation.sleep(in: .seconds(1)...(.seconds(9))) }
      try await Simulation.sleep(in: .seconds(8)...(.seconds(20)))
      _ = await child.result
    }
    #expect(report(schedules: 1, body).untriedPairs?.count == 1)
    #expect(report(body).untriedPairs == nil)
  }

  @Test func `a range that may end at once is one as well`() {
    let body: @Sendable (Simulation) async throws -> Void = { _ in
      let timer = Task { try await Task.sleep(for: .seconds(5)) }
      await Task.yield()
      try await Simulation.sleep(in: .zero...(.seconds(9)))
      _ = await timer.result
    }
    #expect(report(schedules: 1, body).untriedPairs?.count == 1)
    #expect(report(body).untriedPairs == nil)
  }

  @Test func `of many pairs there are the number and five names`() throws {
    let body: @Sendable (Simulation) async throws -> Void = { _ in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<7 {
          group.addTask { try? await Simulation.sleep(in: .seconds(1)...(.seconds(9))) }
        }
        group.addTask { try? await Task.sleep(for: .seconds(5)) }
      }
    }
    let report = report(schedules: 1, body)
    let left = try #require(report.untriedPairs)
    // The seven ranges have come together at their earliest end.
    #expect(left.count == 7)
    #expect(left.examples == (1...5).map { "the sleep of task \($0) with the sleep of task 8" })
    #expect(left.text.hasPrefix("7 pairs of ends were never brought together: the sleep of task 1 with "))
    #expect(left.text.hasSuffix(" with the sleep of task 8, …"))
  }

  @Test func `without a range there is none`() {
    let report = report(schedules: 1) { _ in
      let child = Task { try await Task.sleep(for: .seconds(5)) }
      try await Task.sleep(for: .seconds(5))
      _ = await child.result
    }
    #expect(report.untriedPairs == nil)
  }

  @Test func `ends that have no instant in common are no pair`() {
    let report = report(schedules: 1) { _ in
      let child = Task { try await Simulation.sleep(in: .seconds(1)...(.seconds(4))) }
      try await Task.sleep(for: .seconds(5))
      try await Simulation.sleep(in: .seconds(1)...(.seconds(4)))
      _ = await child.result
    }
    #expect(report.untriedPairs == nil)
  }

  @Test func `what is due after the limit of time is no pair`() {
    let report = report(schedules: 1, options: Simulation.Options(timeLimit: .seconds(10))) { _ in
      Task { try await Task.sleep(for: .seconds(20)) }
      Task { try await Simulation.sleep(in: .seconds(1)...(.seconds(30))) }
    }
    #expect(report.untriedPairs == nil)
  }

  @Test func `an end that was cancelled has not come`() {
    let report = report(schedules: 1) { _ in
      let child = Task { try await Simulation.sleep(in: .seconds(5)...(.seconds(9))) }
      let timer = Task { try await Task.sleep(for: .seconds(5)) }
      try await Task.sleep(for: .seconds(3))
      child.cancel()
      _ = await (child.result, timer.result)
    }
    #expect(report.untriedPairs?.examples == ["the sleep of task 1 with the sleep of task 2"])
  }

  @Test(arguments: [0, 1]) func `every schedule brings every pair together`(_ program: Int) {
    let programs: [@Sendable (Simulation) async throws -> Void] = [
      { _ = try await `Ranges of time`.ticks($0) },
      { _ in
        let ranges = [(1, 9), (2, 8)].map { low, high in
          Task { try await Simulation.sleep(in: .seconds(low)...(.seconds(high))) }
        }
        try await Task.sleep(for: .seconds(3))
        try await Task.sleep(for: .seconds(2))
        for range in ranges { try await range.value }
      },
    ]
    let report = report(schedules: 20_000, under: Strategies.ExhaustiveDFS(), programs[program])
    #expect(report.coverage == .everySchedule)
    #expect(report.untriedPairs == nil)
    #expect(self.report(schedules: 1, programs[program]).untriedPairs != nil)
  }

  @Test func `calls have their names, and later timers of a task their numbers`() {
    let report = report(schedules: 1) { simulation in
      let network = FakeNetwork(delay: .between(.seconds(1), and: .seconds(9)), named: "network")
      let store = FakeNetwork(delay: .fixed(.seconds(5)), named: "store")
      let child = Task {
        simulation.nameTask("child")
        try await Task.sleep(for: .milliseconds(1))
        try await store.exchange("write") { _ in }
      }
      try await network.exchange("GET /cat") { _ in }
      _ = await child.result
    }
    #expect(
      report.untriedPairs?.examples == ["GET /cat of root with write of child (timer 2)"])
  }

  @Test func `waits with a time limit, work and delayed blocks have ends as well`() {
    let report = report(schedules: 1, options: Simulation.Options(steps: .preemptible)) { _ in
      let range = Task { try await Simulation.sleep(in: .seconds(1)...(.seconds(9))) }
      let wait = Task { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 5) }
      let work = Task { await Simulation.spend(.seconds(6)) }
      DispatchQueue(label: "queue").asyncAfter(deadline: .now() + 7) {}
      try await Task.sleep(for: .seconds(20))
      _ = await (range.result, wait.value, work.value)
    }
    #expect(
      report.untriedPairs?.examples.map { $0.replacing("the sleep of task 1 with ", with: "") } == [
        "the delay of work 1 of timers of Dispatch with the sleep of task 1", "the wait of task 2",
        "the work of task 3",
      ])
  }

  @Test func `after a violation there is nothing about it`() {
    let report = report(schedules: 1) { simulation in
      try await Self.rangeAndTimer(simulation)
      simulation.fail("never", "always")
    }
    #expect(!report.violations.isEmpty)
    #expect(report.untriedPairs == nil)
    #expect(!report.description.contains("brought together"))
  }

  /// A hundred ranges are more than an execution follows.
  @Test func `of more than can be followed there are at least so many`() throws {
    let report = report(schedules: 1) { _ in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<100 {
          group.addTask { try? await Simulation.sleep(in: .seconds(1)...(.seconds(9))) }
        }
        group.addTask { try? await Simulation.sleep(in: .seconds(2)...(.seconds(9))) }
      }
    }
    #expect(report.untriedPairs == nil)
    let other = self.report(schedules: 1) { _ in
      await withTaskGroup(of: Void.self) { group in
        for index in 1...100 {
          group.addTask { try? await Simulation.sleep(in: .seconds(index)...(.seconds(200))) }
        }
      }
    }
    let left = try #require(other.untriedPairs)
    #expect(left.mayBeMore)
    // Those that had ended before the next was pending make room.
    #expect(left.count == 1_024)
    #expect(left.text.hasPrefix("at least 1,024 pairs of ends were never brought together: "))
  }

  @Test func `a process for each execution reports the same`() {
    for schedules in [1, 300] {
      let here = report(schedules: schedules, Self.rangeAndTimer)
      let elsewhere = report(schedules: schedules, changed: { $0.isolation = .forks }, Self.rangeAndTimer)
      #expect(elsewhere.untriedPairs == here.untriedPairs)
    }
  }

  @Test func `what one shard has brought together is not left in all`() throws {
    let schedules = 8
    let shards = (1...3).map { index in
      report(
        schedules: schedules,
        changed: { $0.shard = Explorer.Shard(index, of: 3, isHome: index == 1) }, Self.fourRanges)
    }
    let parts = try shards.map { try #require($0.pairs) }
    for (shard, part) in zip(shards, parts) { #expect(shard.untriedPairs == part.untried) }
    let all = parts[0].united(with: parts[1]).united(with: parts[2])
    #expect(all == parts[2].united(with: parts[1].united(with: parts[0])))
    for entry in all.entries {
      let isTried = parts.contains { part in
        part.entries.contains { ($0.one, $0.other, $0.isTried) == (entry.one, entry.other, true) }
      }
      #expect(entry.isTried == isTried)
    }
    #expect(all.entries.count == 10)
  }

  @Sendable static func fourRanges(_: Simulation) async throws {
    await withTaskGroup(of: Void.self) { group in
      for index in 1...4 {
        group.addTask { try? await Simulation.sleep(in: .seconds(index)...(.seconds(index + 9))) }
      }
      group.addTask { try? await Task.sleep(for: .seconds(5)) }
    }
  }
}
