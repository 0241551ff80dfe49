import Testing

@testable import Simulator
@testable import SimulatorCore
@testable import SimulatorKernel
@testable import SimulatorStrategies

/// A search that several processes share.
@Suite struct `Searching in shards` {
  private actor Names {
    private(set) var names = ""
    func write(_ name: String) { names += name }
  }

  /// Four tasks write their names; their orders are what there is to find.
  private static func explorer(_ shard: Explorer.Shard?, schedules: Int = 200) -> Explorer {
    var explorer = Explorer(name: "names") { simulation in
      let board = Names()
      await withTaskGroup(of: Void.self) { group in
        for name in ["a", "b", "c", "d"] { group.addTask { await board.write(name) } }
      }
      if await board.names == "dcba" { simulation.fail("not backwards", "dcba") }
    }
    explorer.budget.schedules = schedules
    explorer.budget.violationsToFind = nil
    explorer.strategy = Strategies.RandomWalk()
    explorer.shard = shard
    return explorer
  }

  private static func shards(_ count: Int, home: Int = 1) -> [Explorer.Shard] {
    (1...count).map { Explorer.Shard($0, of: count, isHome: $0 == home) }
  }

  /// The schedules that an exploration tries, in its order.
  private static func tried(_ explorer: Explorer) -> [[Schedule.Choice]] {
    var explorer = explorer
    let tried = Log<[Schedule.Choice]>()
    explorer.tried = { tried.append($0) }
    _ = explorer.explore()
    return tried.all
  }

  @Test(arguments: [1, 2, 3, 7])
  func `a random schedule depends on its number and not on the shard that runs it`(count: Int) {
    let whole = Self.tried(Self.explorer(nil))
    // Each begins with the natural order, which teaches it.
    let parts = Self.shards(count).map { Array(Self.tried(Self.explorer($0)).dropFirst()) }
    var joined: [[Schedule.Choice]] = [whole[0]]
    var rests = parts
    var shard = 0
    while joined.count < whole.count {
      let round = min(Explorer.roundSize, whole.count - joined.count)
      joined += rests[shard].prefix(round)
      rests[shard].removeFirst(round)
      shard = (shard + 1) % count
    }
    #expect(joined == whole)
    #expect(rests == Array(repeating: [], count: count))
  }

  @Test(arguments: [1, 3, 16])
  func `each schedule of the budget counts in one shard`(count: Int) {
    let reports = Self.shards(count, home: count).map { Self.explorer($0).explore() }
    #expect(reports.reduce(0) { $0 + $1.schedules } == 200)
    let whole = Self.explorer(nil).explore()
    #expect(reports.reduce(0) { $0 + $1.failures } == whole.failures)
    #expect(reports.reduce(0) { $0 + $1.steps } == whole.steps)
  }

  @Test func `the lowest number of all shards is that of the whole`() throws {
    let whole = try #require(Self.explorer(nil).explore().violations.first)
    let found = Self.shards(5).compactMap { Self.explorer($0).explore().violations.first }
    let first = try #require(found.min { $0.number < $1.number })
    #expect(first.number == whole.number)
    #expect(first.token == whole.token)
  }

  @Test func `the behaviors of all shards are those of the whole`() throws {
    let whole = try #require(Self.explorer(Explorer.Shard(1, of: 1, isHome: true)).explore().digests)
    let parts = Self.shards(4).compactMap { Self.explorer($0).explore().digests }
    let forth = parts.reduce(Explorer.BehaviorDigests.none(isWhole: true)) { $0.united(with: $1) }
    let back = parts.reduce(Explorer.BehaviorDigests.none(isWhole: true)) { $1.united(with: $0) }
    #expect(forth == whole)
    #expect(back == whole)
    let undivided = Self.explorer(nil).explore()
    #expect(whole.fewest == undivided.behaviors)
    #expect(whole.singles == undivided.goodTuringEstimate?.count)
  }

  @Test func `a bounded search is one shard's, under numbers from the budget on`() throws {
    var reports: [Explorer.Report] = []
    for shard in Self.shards(3, home: 2) {
      var explorer = Self.explorer(shard)
      explorer.budget.exhaustiveDeviationBound = 1
      reports.append(explorer.explore())
    }
    #expect(reports.map(\.coverage) == [nil, .deviations(atMost: 1), nil])
    #expect(reports.reduce(0) { $0 + $1.schedules } == 200 + reports[1].coveredSchedules)
  }

  @Test func `a schedule to try first is one shard's`() throws {
    let found = try #require(Self.explorer(nil).explore().violations.first)
    let reports = Self.shards(2, home: 2).map { shard in
      var explorer = Self.explorer(shard)
      explorer.firstSchedules = [found.token.schedule]
      explorer.budget.violationsToFind = ["not backwards"]
      return explorer.explore()
    }
    #expect(reports[1].schedules == 1)
    #expect(reports[1].violations.first?.number == 200)
    #expect(reports[0].violations.first?.number ?? 200 < 200)
  }

  @Test func `a search that covers everything is not divided`() {
    let reports = Self.shards(3, home: 3).map { shard in
      var explorer = Self.explorer(shard, schedules: 100_000)
      explorer.strategy = Strategies.ExhaustiveReduced()
      return explorer.explore()
    }
    #expect(reports.map(\.schedules).prefix(2) == [0, 0])
    #expect(reports.map { $0.coverage == .everyBehavior } == [false, false, true])
  }

  @Test func `a shard without a round of its own tries nothing`() {
    let report = Self.explorer(Explorer.Shard(8, of: 9, isHome: false)).explore()
    #expect(report.schedules == 0)
    #expect(!report.holds)
    #expect(report.digests == .none(isWhole: true))
  }

  @Test func `every cancel comes once, in one shard`() {
    let reports = Self.shards(3, home: 3).map { shard in
      var explorer = Explorer(name: "cancels") { simulation in
        let task = Task { try? await Task.sleep(for: .seconds(1)) }
        simulation.cancelAnywhere(task)
        await task.value
      }
      explorer.budget.schedules = 100
      explorer.shard = shard
      return explorer.explore()
    }
    #expect(reports.map(\.cancellations?.covered) == [nil, nil, 3])
    #expect(reports.reduce(0) { $0 + $1.schedules } == 103)
  }

  @Test func `the natural order shows its violation in each shard and counts in one`() {
    let reports = Self.shards(3, home: 2).map { shard in
      var explorer = Explorer(name: "always") { $0.fail("never", "it did") }
      explorer.budget.schedules = 100
      explorer.shard = shard
      return explorer.explore()
    }
    #expect(reports.map(\.schedules) == [0, 1, 0])
    #expect(reports.map { $0.violations.map(\.number) } == [[0], [0], [0]])
  }

  @Test func `shards share the schedules with few deviations`() {
    let parts = Self.shards(3).map { shard in
      var explorer = Explorer(name: "many names") { _ in
        let board = Names()
        await withTaskGroup(of: Void.self) { group in
          for name in "abcdefgh" { group.addTask { await board.write(String(name)) } }
        }
      }
      explorer.shard = shard
      explorer.budget.schedules = 60
      explorer.strategy = FewDeviations()
      return Array(Self.tried(explorer).dropFirst())
    }
    let all = parts.flatMap(\.self)
    #expect(all.count == 59)
    #expect(Set(all).count == 59)
  }
}

/// The behaviors of several searches.
@Suite struct `Uniting behaviors` {
  private typealias Digests = Explorer.BehaviorDigests

  private static func digests(_ range: Range<UInt64>, every stride: Int = 1) -> Digests {
    let all = Swift.stride(from: Int(range.lowerBound), to: Int(range.upperBound), by: stride)
    let entries = all.map { Digests.Entry(digest: UInt64($0), samples: $0 % 3) }
    let kept = Array(entries.prefix(Digests.limit))
    return Digests(entries: kept, fewest: entries.count, isWhole: kept.count == entries.count)
  }

  @Test func `neither order nor grouping matters, also of more than are kept`() {
    let limit = UInt64(Digests.limit)
    let (a, b, c) = (
      Self.digests(0..<limit, every: 2), Self.digests(limit / 2..<3 * limit), Self.digests(1..<limit)
    )
    let one = a.united(with: b).united(with: c)
    let other = c.united(with: a).united(with: b)
    #expect(one == other)
    #expect(one == a.united(with: b.united(with: c)))
    #expect(!one.isWhole)
    #expect(one.fewest == b.fewest)
    #expect(one.entries.count == Digests.limit)
  }

  @Test func `a behavior that two have seen once was seen twice`() {
    let once = Digests(entries: [Digests.Entry(digest: 7, samples: 1)], fewest: 1, isWhole: true)
    let both = once.united(with: once)
    #expect(both.fewest == 1)
    #expect(both.singles == 0)
    #expect(both.united(with: once) == both)
  }
}
