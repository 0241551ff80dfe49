import Simulator
import SimulatorXCTest
import XCTest

final class FailingTestCase: SimulatedTestCase {
  private struct Refused: Error {}

  override func setUpWithError() throws {
    try XCTSkipUnless(Fixtures.areEnabled, "fails on purpose, in a process of its own")
  }

  func testAssertion() throws {
    try simulated {
      let simulation = try XCTUnwrap(Simulation.current)
      let pause: Duration = simulation.choose(among: [.seconds(2), .milliseconds(500)])
      let balance = try await Account.balanceAfter(twice: 70, pause: pause)
      XCTAssertGreaterThanOrEqual(balance, 0, "never overdrawn")
    }
  }

  func testUnwrapping() async throws {
    try simulated {
      let answer = Simulation.current?.choose(among: [42, nil]) ?? nil
      _ = try XCTUnwrap(answer)
    }
  }

  func testThrown() throws {
    try simulated { throw Refused() }
  }

  func testSkipped() throws {
    try simulated { throw XCTSkip("not today") }
  }

  func testStaleToken() throws {
    try simulated(replaying: "debug/9:1/2#00000000") { await Task.yield() }
  }

  func testAfterwardsAnAssertionIsOneAgain() throws {
    try simulated { await Task.yield() }
    XCTFail("at once")
  }

  func testNoSchedules() throws {
    try simulated(schedules: 0) {}
  }

  func testReplayed() throws {
    try XCTSkipIf(Fixtures.token.isEmpty, "replays what it is given")
    try simulated(replaying: Fixtures.token) {
      let balance = try await Account.scheduledBalance()
      XCTAssertGreaterThanOrEqual(balance, 0)
    }
  }

  func testShared() throws {
    try simulated {
      let balance = try await Account.scheduledBalance()
      XCTAssertGreaterThanOrEqual(balance, 0)
    }
  }

  func testStuck() throws {
    try simulated { await Self.waitForEver() }
  }

  private static func waitForEver() async {
    await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
  }
}
