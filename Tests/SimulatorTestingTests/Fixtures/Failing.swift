import Foundation
import Simulator
import SimulatorTesting
import Testing

@Suite(.enabled(if: Fixtures.areEnabled)) struct Failing {
  private struct Refused: Error {}

  /// Which of two the schedule decides; `false` is natural.
  private var isUnlucky: Bool { Simulation.current?.choose(among: [false, true]) ?? false }

  @Test(.simulated) func expectation() async throws {
    let simulation = try #require(Simulation.current)
    let pause: Duration = simulation.choose(among: [.seconds(2), .milliseconds(500)])
    let balance = try await Account.balanceAfter(twice: 70, pause: pause)
    #expect(balance >= 0, "never overdrawn")
  }

  @Test(.simulated) func requirement() async throws {
    let answer: Int? = isUnlucky ? nil : 42
    _ = try #require(answer)
  }

  @Test(.simulated) func thrown() async throws {
    if isUnlucky { throw Refused() }
  }

  @Test(.simulated) func twoLines() async throws {
    let isUnlucky = isUnlucky
    #expect(!isUnlucky, "one")
    #expect(!isUnlucky, "two")
  }

  @Test(.simulated) func stuck() async throws {
    await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
  }

  @Test(.simulated) func watched() async throws {
    let account = Account()
    Simulation.current?.always("never overdrawn") { account.assumeIsolated { $0.balance >= 0 } }
    async let first: Void = account.withdraw(70)
    async let second: Void = account.withdraw(70)
    _ = await (first, second)
  }

  @Test(.simulated, arguments: [10, 70, 20]) func argument(amount: Int) async throws {
    let balance = try await Account.balanceAfter(twice: amount)
    #expect(balance >= 0)
  }

  @MainActor @Test(.simulated) func mainActor() async throws {
    var count = 0
    let other = Task {
      let before = count
      await Task.yield()
      count = before + 1
    }
    let before = count
    await Task.yield()
    count = before + 1
    await other.value
    MainActor.assertIsolated()
    #expect(count == 2)
  }

  @Test(.simulated) func confirmed() async throws {
    await confirmation { confirm in if !isUnlucky { confirm() } }
  }

  @Test(.simulated) func recorded() async throws {
    if isUnlucky { Issue.record("the schedule was unlucky") }
  }

  @Test(.simulated) func sometimesKnown() async throws {
    withKnownIssue { if !isUnlucky { Issue.record("known") } }
  }

  @Test(.simulated) func known() async throws {
    withKnownIssue { Issue.record("always the same") }
  }

  @Test(.simulated) func warned() async throws {
    Issue.record("careful", severity: .warning)
  }

  @Test(.simulated) func detached() async throws {
    await Task.detached { _ = Issue.record("in nobody's name") }.value
  }

  @Test(.simulated) func cancelled() async throws {
    try Test.cancel("not today")
  }

  @Test(.simulated) func exits() async throws {
    await #expect(processExitsWith: .failure) { exit(1) }
  }

  @Test(.simulated(replaying: "debug/9:1/2#00000000")) func staleToken() async throws {
    await Task.yield()
  }

  @Test(.simulated(replaying: "debug")) func garbledToken() async throws {
    await Task.yield()
  }

  @Test(.simulated(replaying: "debug/9:1/2#00000000"), arguments: [1, 2]) func nobodysToken(_: Int)
    async throws
  {
    await Task.yield()
  }

  @Test(.simulated) func sentence() async throws {
    let network = FakeNetwork(delay: .seconds(1))
    _ = try await network.send(FakeNetwork.Request("PUT", "/profile"))
    async let second = network.send(FakeNetwork.Request("PUT", "/profile"))
    try await Task.sleep(for: .milliseconds(10))
    #expect(network.received("PUT /profile").once)
    _ = try await second
  }

  @Test(.simulated) func shared() async throws { try await Account.expectEnough() }

  @Test(.simulated(replaying: Fixtures.token), .enabled(if: !Fixtures.token.isEmpty)) func replayed()
    async throws
  {
    try await Account.expectEnough()
  }

  @Test(.simulated(schedules: 0)) func noSchedules() {}

  @Test(.simulated(schedules: 3, exhaustiveDeviationBound: 2)) func cutShort() async {
    async let one: Void = Task.yield()
    async let two: Void = Task.yield()
    _ = await (one, two)
  }

  @Test(.simulated(replaying: fixed)) func fixedToken() async throws {
    await Task.yield()
  }

  @Test(.simulated(replaying: fixed), arguments: [1, 2]) func fixedForAll(_: Int) async throws {
    await Task.yield()
  }

  @Test(.simulated(schedules: 3, replays: [fixed])) func guardedByToken() async throws {
    await Task.yield()
  }

  @Test(.simulated(schedules: 3, replays: [fixed, parted])) func partedToken() async throws {
    await Task.yield()
  }

  @Test(.simulated(schedules: 3, replays: [parted]), arguments: [1, 2]) func partedForAll(_: Int) async {
    await Task.yield()
  }

  @Test(.simulated(schedules: 1, replays: ["\(Schedule.Token.Build.current.rawValue)/0:1/2#00000000"]))
  func brokenAgain() async throws { try await Account.expectEnough() }

  @Test(.simulated(schedules: 1)) func missedWithoutToken() async throws { try await Account.expectEnough() }

  /// Recorded, so to speak, when there was something to violate.
  private static let fixed = "\(Schedule.Token.Build.current.rawValue)/#00000000"
  private static let parted = "\(Schedule.Token.Build.current.rawValue)/9:1/2#00000000"

  @Test(.simulated(schedules: 20)) func neverSeen() async throws {
    Simulation.current?.expectReached("a retry")
    _ = isUnlucky
  }

  @Test(.simulated(schedules: 20)) func notToBeReached() async throws {
    if isUnlucky { Simulation.current?.unreachable("bad luck") }
  }

  /// Which answer is honest is open: the operation waits for a range of time.
  @Test(.simulated(schedules: 1)) func judgedInVain() async {
    await Serializable {
      Account()
    } observing: {
      await $0.balance
    }
    .offering("withdraw, late") { account in
      try await Simulation.sleep(in: .zero ... .seconds(1))
      await account.withdraw(70)
    }
    .check()
  }
}
