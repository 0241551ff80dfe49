import Foundation
import Simulator
import SimulatorXCTest
import XCTest

/// Methods in which some schedules end their process.
final class CrashingTestCase: SimulatedTestCase {
  /// What a copy of the process changes is changed there only.
  private static let changes = Flag()

  override func setUpWithError() throws {
    try XCTSkipUnless(Fixtures.areEnabled, "fails on purpose, in a process of its own")
  }

  func testACrash() throws {
    try simulated {
      if Simulation.current?.choose(among: [false, true]) == true { fatalError("the cart is gone") }
    }
  }

  func testATypeThatIsJudged() throws {
    try simulated {
      await Serializable {
        Seats()
      } observing: {
        await $0.free
      }
      .offering("take") { await $0.take() }
      .check()
    }
  }

  func testAnExit() throws {
    try simulated {
      if Simulation.current?.choose(among: [false, true]) == true { exit(3) }
    }
  }

  func testACloseOfAll() throws {
    try simulated {
      for descriptor in Int32(3)..<1_024 { close(descriptor) }
      if Simulation.current?.choose(among: [false, true]) == true { fatalError("all are closed") }
    }
  }

  func testAFirstExecutionWithoutEnd() throws {
    try simulated(timeBudget: .milliseconds(500)) { while true {} }
  }

  func testAFailureBesideACrash() throws {
    try simulated {
      let isUnlucky = Simulation.current?.choose(among: [false, true]) == true
      XCTAssertFalse(isUnlucky, "told in the same step")
      if isUnlucky { fatalError("told after") }
    }
  }

  func testAReplay() throws {
    try XCTSkipIf(Fixtures.token.isEmpty)
    try simulated(replaying: Fixtures.token) {
      if Simulation.current?.choose(among: [false, true]) == true { fatalError("the cart is gone") }
    }
  }

  func testChangesACopy() throws {
    try simulated { Self.changes.set() }
    XCTAssertFalse(Self.changes.isSet)
  }

  func testLast() throws {
    try simulated { await Task.yield() }
  }
}
