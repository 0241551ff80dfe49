import Foundation
import Simulator
import SimulatorStrategies
import SimulatorTesting
import Testing

/// What the body of a simulated test meets.
@Suite struct `A simulated test` {
  /// Each run of a body has a suite of its own.
  private let hasRun = Flag()

  @Test(
    RunCount(of: "schedules", is: 9...14),
    .simulated(strategy: Strategies.ExhaustiveDFS(), inSeparateProcess: false))
  func `runs its body under every schedule, in a fresh suite, before its scope ends`() async {
    RunCount.add("schedules")
    #expect(!hasRun.isSet)
    hasRun.set()
    async let a: Void = Task.yield()
    async let b: Void = Task.yield()
    _ = await (a, b)
  }

  @Test(RunCount(of: "once", is: 1...1)) func `without the trait runs its body once`() {
    RunCount.add("once")
  }

  @Test(.simulated(timeLimit: .seconds(200_000))) func `sleeps in virtual time`() async throws {
    let clock = ContinuousClock()
    let start = (clock.now, Date())
    try await Task.sleep(for: .seconds(100_000))
    #expect(start.0.duration(to: clock.now) == .seconds(100_000))
    #expect(Date().timeIntervalSince(start.1) == 100_000)
  }

  @Test(.simulated) func `is known to the testing library as itself`() async {
    #expect(Test.current?.name.contains("is known to the testing library") == true)
    #expect(Test.Case.current != nil)
    await Task { #expect(Test.current != nil) }.value
  }

  @Test(.simulated, arguments: [1, 2], ["a", "b"])
  func `is searched for each argument`(number: Int, letter: String) async throws {
    try await Task.sleep(for: .seconds(number))
    #expect(Simulation.current?.now == VirtualInstant(nanoseconds: Int64(number) * 1_000_000_000))
    #expect(["a", "b"].contains(letter))
  }

  @MainActor @Test(.simulated) func `may be on the main actor`() async throws {
    MainActor.assertIsolated()
    try await Task.sleep(for: .seconds(1))
    MainActor.assertIsolated()
    #expect(Simulation.current != nil)
  }

  @Test(.simulated) func `need not be asynchronous`() {
    #expect(Simulation.current != nil)
  }

  @Test(.serialized, .simulated, .timeLimit(.minutes(30)), .enabled(if: true), arguments: 1...2)
  func `takes other traits`(_: Int) async {
    await Task.yield()
    await confirmation { confirm in
      await Task { confirm() }.value
    }
  }

  /// Three to see that the body repeats itself, three that count, and one to see that it still does.
  @Test(
    RunCount(of: "bounded", is: 7...7),
    .simulated(schedules: 3, strategy: Strategies.RandomWalk(), inSeparateProcess: false))
  func `is bounded by its options`() async throws {
    RunCount.add("bounded")
    async let a: Void = Task.yield()
    async let b: Void = Task.yield()
    _ = await (a, b)
  }
}

@Suite(.simulated(schedules: 2)) struct `In a simulated suite` {
  @Test func `every test is simulated`() {
    #expect(Simulation.current != nil)
  }

  @Test(.simulated(replaying: token)) func `a test's own trait holds`() async {
    await Task.yield()
    #expect(Simulation.current != nil)
  }

  @Suite struct Inner {
    @Test func `those of inner suites too`() { #expect(Simulation.current != nil) }
  }

  private static let token = simulate { _ in await Task.yield() }.token.description
}
