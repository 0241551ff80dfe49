import Simulator
import SimulatorTesting
import SimulatorXCTest
import Testing
import XCTest

/// As if the start-up code had not been linked.
private struct WithoutStartUpCode: TestTrait, SuiteTrait, TestScoping {
  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { self }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await RuntimeControl.$pretendedFault.withValue(.notPrepared) { try await function() }
  }
}

/// Tests where nothing can be simulated.
@Suite(.enabled(if: Fixtures.areEnabled), WithoutStartUpCode()) struct Elsewhere {
  @Test(.simulated) func once() { print("the body has run") }

  @Test(.simulated, arguments: [1, 2]) func twice(_ number: Int) { print("the body has run") }

  @Test(.simulated(replaying: "debug/0:1/2#2e18b49f")) func replayed() { print("the body has run") }

  @Test func ordinary() { print("an ordinary test has run") }
}

final class ElsewhereTestCase: SimulatedTestCase {
  override func setUpWithError() throws {
    try XCTSkipUnless(Fixtures.areEnabled, "for a process of its own")
  }

  func testSearch() throws {
    try RuntimeControl.$pretendedFault.withValue(.notPrepared) {
      try simulated { print("the body has run") }
    }
  }

  func testReplay() throws {
    try RuntimeControl.$pretendedFault.withValue(.notPrepared) {
      try simulated(replaying: "debug/0:1/2#2e18b49f") { print("the body has run") }
    }
  }

  func testOrdinary() { print("an ordinary test has run") }
}
