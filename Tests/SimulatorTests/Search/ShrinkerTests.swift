import Simulator
import Testing

/// Issue: a violation comes with the smallest schedule that shows it.
@Suite struct `Shrinking a schedule` {
  /// Two tasks read, hop and write: one deviation loses an update.
  static let lostUpdate: @Sendable (Simulation) async throws -> Void = { simulation in
    let counter = Counter()
    async let first: Void = counter.set(counter.value + 1)
    async let second: Void = counter.set(counter.value + 1)
    _ = await (first, second)
    if await counter.value != 2 { simulation.fail("no update is lost", "two increments, one counted") }
  }

  @Test(arguments: [0, 1, 2, 3, 4] as [UInt64])
  func `a lost update takes one deviation at most, whatever the seed`(seed: UInt64) throws {
    let report = explore(seed: seed, Self.lostUpdate)
    let violation = try #require(report.violations.first)
    let shrinking = try #require(violation.shrinking)
    #expect(violation.token.schedule.deviations.count <= 1)
    #expect(shrinking.reproduced == 10)
    guard case .proved = shrinking.minimality else {
      Issue.record("not proved: \(shrinking.minimality)")
      return
    }
    print(report)
  }
}
