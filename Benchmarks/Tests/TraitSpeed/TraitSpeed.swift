import Simulator
import SimulatorStrategies
import SimulatorTesting
import SmallActor
import Testing

/// What a schedule costs under the trait, beside the floor of the same run. Prints, and judges nothing.
///
/// `swift test --package-path Benchmarks --filter TraitSpeed`
@Suite("Speed under the trait", .serialized) struct TraitSpeed {
  @Test(.timed(100_000)) func `a FIFO ring`() {
    let ring = RingExecutor()
    for _ in 0..<100_000 { ring.run { _ = await depositTwice() } }
  }

  @Test(.timed(100_000), .simulated(schedules: 100_000, strategy: Strategies.RandomWalk()))
  func `random search`() async {
    let balance = await depositTwice()
    #expect(balance > 0)
  }

  @Test(.timed(100_000), .simulated(schedules: 100_000)) func `the default search`() async {
    let balance = await depositTwice()
    #expect(balance > 0)
  }

  @Test(.timed(1_000), .simulated)
  func `a test with nothing but defaults, all that comes before and after it included`()
    async
  {
    let balance = await depositTwice()
    #expect(balance > 0)
  }
}

/// Prints how many schedules a second the test made.
private struct Timed: TestTrait, TestScoping {
  let schedules: Int

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    // Inside the trait that simulates it runs for each schedule, and has nothing to do.
    guard Simulation.current == nil else { return try await function() }
    let start = ContinuousClock.now
    try await function()
    let seconds = start.duration(to: .now) / .seconds(1)
    print("\(test.name): \(Int(Double(schedules) / seconds)) schedules a second")
  }
}

extension Trait where Self == Timed {
  fileprivate static func timed(_ schedules: Int) -> Self { Timed(schedules: schedules) }
}
