import Simulator
import SimulatorStrategies
import Testing

/// Where nothing can be left out of a schedule, another one may still be smaller.
@Suite struct `Smaller schedules elsewhere` {
  /// Each of four things is done by one choice, or by two together; among forty choices that do nothing.
  @Sendable private static func fourThings(_ simulation: Simulation) async throws {
    func choose() -> Bool { simulation.choose(.fault, among: [false, true]) }
    var done = 0
    for _ in 0..<4 {
      let isDone = choose()
      for _ in 0..<10 { _ = choose() }
      let (one, other) = (choose(), choose())
      if isDone || one && other { done += 1 }
    }
    if done == 4 { simulation.fail("not all four", "all were done") }
  }

  private func explorer(_ body: @escaping @Sendable (Simulation) async throws -> Void) -> Explorer {
    var explorer = Explorer(name: "test", body: body)
    explorer.strategy = Strategies.RandomWalk()
    return explorer
  }

  private func shrinking(_ explorer: Explorer) throws -> Invariant.Shrinking {
    let violation = try #require(explorer.explore().violations.first)
    return try #require(violation.shrinking)
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func `one deviation takes the place of two, where all schedules with as many are too many`(seed: UInt64)
    throws
  {
    var explorer = explorer(Self.fourThings)
    explorer.seed = seed
    explorer.budget.shrinkingExecutions = 30
    let shrinking = try shrinking(explorer)
    #expect(shrinking.deviations.count == 4)
    guard case .exhausted(let below, _) = shrinking.minimality else {
      Issue.record("all schedules with three deviations have been tried")
      return
    }
    #expect(below < 4)
  }

  @Test func `of a level with too many schedules some are tried`() throws {
    var explorer = explorer { simulation in
      func choose() -> Int { simulation.choose(.fault, among: [0, 1, 2, 3]) }
      let first = (0..<6).map { _ in choose() }
      let second = (0..<30).map { _ in choose() }
      if first.allSatisfy({ $0 == 1 }) || second.count(where: { $0 == 3 }) >= 2 {
        simulation.fail("neither", "six of the first, or two of the second")
      }
    }
    explorer.firstSchedules = [
      Schedule(deviations: (0..<6).map { .init(position: $0, taken: 1, options: 4) })
    ]
    explorer.budget.shrinkingExecutions = 16
    let shrinking = try shrinking(explorer)
    #expect(shrinking.originalSchedule.deviations.count == 6)
    #expect(shrinking.deviations.count == 2)
  }

  @Test func `shrinking that its time ends says so, and keeps what it has`() throws {
    var explorer = explorer(Self.fourThings)
    explorer.budget.shrinkingTime = .nanoseconds(1)
    let violation = try #require(explorer.explore().violations.first)
    let shrinking = try #require(violation.shrinking)
    #expect(shrinking.isOutOfTime)
    #expect(shrinking.executions == 1)
    #expect(violation.token.schedule == shrinking.originalSchedule)
    #expect("\(shrinking)".hasSuffix("have not been tried; the time that shrinking may take was over"))
  }

  @Test func `shrinking that has time enough says nothing of it`() throws {
    var explorer = explorer(Self.fourThings)
    explorer.budget.shrinkingExecutions = 1
    explorer.budget.shrinkingTime = nil
    let shrinking = try shrinking(explorer)
    #expect(!shrinking.isOutOfTime)
    #expect(!"\(shrinking)".contains("time"))
  }
}
