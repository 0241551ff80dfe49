import Shop
import SimulatorXCTest
import XCTest

/// Every word of the shop where a type is expected.
private typealias Words = (
  Event, Action, Call, Value, Outcome, Report, Share, Reply, Race, Budget, Portfolio, Trace, Schedule,
  Choice, Candidate, Strategy, Fault, Violation, Invariant, Judge, Monitor, Timeline, Explanation,
  Execution, Isolation, Behavior, Behavior, Timing, NetworkRequest, NetworkResponse, KeyValueStore,
  NetworkTransport, Replay, Feedback, Pick, Exhaustion, Coverage, Diagnosis, SharedObject, Explorer,
  Shrinking, Wholes, BuiltIn, CodePlace, ProcessLimits, System, World, Observed
)

final class ShopXCTests: SimulatedTestCase {
  func testUsesItsWordsUnqualified() throws {
    let words: [any Word] = [
      Event(), Action(), Call(), Value(), Outcome(), Report(), Share(), Reply(), Race(), Budget(),
      Portfolio(), Trace(), Schedule(), Choice(), Candidate(), Strategy(), Fault(), Violation(),
      Invariant(), Judge(), Monitor(), Timeline(), Explanation(), Execution(), Isolation(), Behavior(),
      Behavior(), Timing(), NetworkRequest(), NetworkResponse(), KeyValueStore(), NetworkTransport(),
      Replay(), Feedback(), Pick(), Exhaustion(), Coverage(), Diagnosis(), SharedObject(), Explorer(),
      Shrinking(), Wholes(), BuiltIn(), CodePlace(), ProcessLimits(), System(), World(), Observed(),
    ]
    XCTAssertEqual(words.count, 48)
    XCTAssertTrue(words.allSatisfy { String(reflecting: type(of: $0)).hasPrefix("Shop.") })
    XCTAssertTrue(Words.self == Words.self)
  }

  func testSeesTheNamesThatATestNeeds() throws {
    try simulated(schedules: 20) {
      let network = FakeNetwork(
        delay: .between(.milliseconds(10), and: .seconds(1)), replies: [.ok("open"), .offline])
      try? await network.exchange("GET /hours", "today") { _ in }
      XCTAssertTrue(network.received("GET /hours").with("today").once)
    }
  }

  func testSpendsByItsOwnMethods() throws {
    try simulated(schedules: 20) {
      let purse = Purse()
      await purse.buy()
      await spend(.seconds(1), from: purse)
      let spent = await purse.spent
      XCTAssertEqual(spent, .seconds(2))
      XCTAssertEqual(Simulation.current?.now, .start)
    }
  }
}
