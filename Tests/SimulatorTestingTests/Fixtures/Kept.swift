import Simulator
import SimulatorTesting
import SimulatorXCTest
import Synchronization
import Testing
import XCTest

/// Kept for as long as the process lives.
private actor Visits {
  static let shared = Visits()
  private var count = 0

  func add() -> Int {
    count += 1
    return count
  }
}

/// A global that is made when it is first asked for.
private let openings = Mutex(0)

private func open() -> Int {
  openings.withLock { count in
    count += 1
    return count
  }
}

private let isUntouched = Mutex(true)

private let questions = Mutex(0)

private func ask() -> Int {
  questions.withLock { count in
    count += 1
    return count
  }
}

/// Tests that leave something behind, and tests that are right only where nothing is left.
@Suite(.enabled(if: Fixtures.areEnabled), .serialized) struct Kept {
  private var isUnlucky: Bool { Simulation.current?.choose(among: [false, true]) ?? false }

  @Test(.simulated(schedules: 20)) func first() async {
    #expect(await Visits.shared.add() == 99)
    #expect(open() == 99)
  }

  @Test(.simulated(schedules: 20)) func second() async {
    #expect(await Visits.shared.add() == 1)
    #expect(open() == 1)
  }

  @Test func thirdIsOrdinary() async {
    #expect(await Visits.shared.add() == 1)
    #expect(open() == 1)
    _ = ask()
  }

  @Test(.simulated(schedules: 20)) func isRight() async {
    #expect(await Visits.shared.add() == 1)
    #expect(open() == 1)
  }

  @Test(.simulated(schedules: 20)) func isWrongInAnotherWay() async {
    #expect(await Visits.shared.add() == 1)
    #expect(!isUnlucky, "unlucky")
  }

  @Test(.simulated(schedules: 20), arguments: ["a", "b", "c"]) func ofThree(name: String) async {
    #expect(await Visits.shared.add() == 1)
    #expect(name != "b" || !isUnlucky, "unlucky")
  }

  @Test(.simulated(schedules: 20), .disabled(if: ask() > 1_000)) func hasACondition() {
    // The condition of this test asks once, in any process.
    #expect(ask() == 2)
  }

  @Test(.simulated(replaying: Fixtures.token)) func replayed() async {
    #expect(await Visits.shared.add() == 1)
    #expect(!isUnlucky, "unlucky")
  }
}

/// A test whose fault is that it keeps something from one run of its body to the next.
private let lockOfCaller = NSLock()
private let madeUnderLock: Int = lockOfCaller.withLock { 1 }

@Suite(.enabled(if: Fixtures.areEnabled)) struct KeptBetweenRuns {
  /// Each needs what the other has. A later schedule makes the global, and then nothing waits for it any more.
  @Test(.simulated(schedules: 20)) func needsALockThatItsCallerHolds() async {
    async let first: Void = lockOfCaller.withLock {
      usleep(1_000)
      _ = madeUnderLock
    }
    async let second = madeUnderLock
    _ = await (first, second)
  }

  /// Whichever runs first hides it from all others, and the natural order does the same each time.
  @Test(.simulated(schedules: 20)) func isHiddenByTheFirst() {
    let isFirst = isUntouched.withLock { isUntouched in
      defer { isUntouched = false }
      return isUntouched
    }
    let isUnlucky = Simulation.current?.choose(among: [false, true]) ?? false
    #expect(!isFirst || !isUnlucky, "unlucky at first")
  }

  @Test(.simulated(schedules: 20)) func fifteenth() async {
    let count = await Visits.shared.add()
    #expect(count < 15)
  }

  @Test(.simulated(schedules: 20)) func firstOnly() async {
    let count = open()
    Simulation.current?.record(.note("\(count)"))
    #expect(Simulation.current?.choose(among: [true, false]) ?? true)
  }
}

final class KeptTestCase: SimulatedTestCase {
  override func setUpWithError() throws {
    try XCTSkipUnless(Fixtures.areEnabled, "fails on purpose, in a process of its own")
  }

  func test1Fails() throws {
    try simulated(schedules: 20) { XCTAssertEqual(open(), 99) }
  }

  func test2Passes() throws {
    try simulated(schedules: 20) { XCTAssertEqual(open(), 1) }
  }

  func test3IsOrdinary() { XCTAssertEqual(open(), 1) }

  func test4Passes() throws {
    try simulated(schedules: 20) { await Task.yield() }
    try simulated(schedules: 20) { XCTAssertEqual(open(), 1) }
  }

  func test5FailsInAnotherWay() throws {
    try simulated(schedules: 20) {
      XCTAssertEqual(open(), 1)
      XCTAssertTrue(Simulation.current?.choose(among: [true, false]) ?? true, "unlucky")
    }
  }
}
