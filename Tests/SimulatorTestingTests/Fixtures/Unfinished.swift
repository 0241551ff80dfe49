import Foundation
import FoundationNetworking
import Simulator
import SimulatorHTTP
import SimulatorTesting
import SimulatorXCTest
import Testing
import XCTest

@Suite(.enabled(if: Fixtures.areEnabled)) struct Unfinished {
  private actor Flag {
    private(set) var isUp = false
    func raise() { isUp = true }
  }

  @Test(.simulated) func sleepsTooLong() async throws {
    try await Task.sleep(for: .seconds(601))
    #expect(1 == 2)
  }

  @Test(.simulated) func polls() async throws {
    let flag = Flag()
    while await !flag.isUp { try await Task.sleep(for: .seconds(1)) }
  }

  @Test(.simulated) func awaitsTask() async throws {
    let ticker = Task { while !Task.isCancelled { try? await Task.sleep(for: .seconds(5)) } }
    await ticker.value
  }

  @Test(.simulated(timeLimit: .seconds(10))) func limited() async throws {
    try await Task.sleep(for: .seconds(11))
  }

  @Test(.simulated) func returnsAfterNineMinutes() async throws { try await Task.sleep(for: .seconds(599)) }

  @Test(.simulated(timeLimit: .seconds(3_600))) func returnsInAnHour() async throws {
    try await Task.sleep(for: .seconds(3_500))
  }

  /// Where the strategy never takes the action, the poll has no end; it is not judged.
  @Test(.simulated(schedules: 1)) func pollsForAnAction() async throws {
    let flag = Flag()
    Simulation.current?.anytime("raise") { Task { await flag.raise() } }
    while await !flag.isUp { try await Task.sleep(for: .seconds(1)) }
  }

  @Test(.simulated(schedules: 50)) func pollsForAnActionThatComes() async throws {
    let flag = Flag()
    Simulation.current?.anytime("raise") { Task { await flag.raise() } }
    while await !flag.isUp { try await Task.sleep(for: .seconds(1)) }
  }
}

final class UnfinishedTestCase: SimulatedTestCase {
  override func setUpWithError() throws { try XCTSkipUnless(Fixtures.areEnabled) }

  func testSleepsTooLong() throws {
    try simulated {
      try await Task.sleep(for: .seconds(601))
      XCTAssertEqual(1, 2)
    }
  }

  func testWarns() throws { try simulated { Task { try await Task.sleep(for: .seconds(1)) } } }
}

@Suite(.enabled(if: Fixtures.areEnabled)) struct Advised {
  @MainActor final class Search {
    var query = ""
    var results: [String] = []
    func search() async {
      let asked = query
      try? await Task.sleep(for: asked == "a" ? .milliseconds(500) : .milliseconds(50))
      results = [asked]
    }
  }

  @MainActor @Test(.simulated) func startsTwoSearches() async {
    let model = Search()
    model.query = "a"
    Task { await model.search() }
    model.query = "ab"
    Task { await model.search() }
  }

  @MainActor @Test(.simulated) func letsTimePass() async throws {
    let model = Search()
    Task { await model.search() }
    try await Task.sleep(for: .seconds(60))
    #expect(model.results == [""])
  }

  @Test(.simulated) func leavesATicker() async throws {
    Task { while true { try await Task.sleep(for: .seconds(1)) } }
    try await Task.sleep(for: .seconds(3))
  }

  /// Time stands still while it yields, and never comes to an end.
  @Test(.simulated(schedules: 20)) func leavesOneThatYields() async throws {
    Task { while !Task.isCancelled { await Task.yield() } }
  }

  @Test(.simulated) func cancelsATicker() async throws {
    let ticker = Task { while true { try await Task.sleep(for: .seconds(1)) } }
    try await Task.sleep(for: .seconds(3))
    ticker.cancel()
  }

  /// The consumer ends because the stream goes away with the body.
  @Test(.simulated) func leavesAConsumer() async throws {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    Task { for await _ in stream {} }
    continuation.yield(1)
    try await Task.sleep(for: .seconds(1))
  }

  @Test(.simulated) func neverRequested() async throws {
    let network = FakeNetwork(["GET /inbox": [FakeBehavior()], "GET /news": [FakeBehavior()]])
    _ = try await network.send(FakeNetwork.Request("GET", "/inbox"))
  }

  /// Each argument has a route of its own.
  @Test(.simulated, arguments: ["/inbox", "/news"]) func requestedByArguments(path: String) async throws {
    let network = FakeNetwork(["GET /inbox": [FakeBehavior()], "GET /news": [FakeBehavior()]])
    _ = try await network.send(FakeNetwork.Request("GET", path))
  }

  @Test(.simulated, arguments: [1, 2]) func neverRequestedByArguments(number: Int) async throws {
    let network = FakeNetwork(["GET /inbox": [FakeBehavior()], "GET /news": [FakeBehavior()]])
    _ = try await network.send(FakeNetwork.Request("GET", "/inbox"))
  }

  /// One schedule is enough.
  @Test(.simulated) func requestedInSomeSchedules() async throws {
    let network = FakeNetwork(["GET /inbox": [FakeBehavior()]])
    if Simulation.current?.choose(among: [false, true]) == true {
      _ = try await network.send(FakeNetwork.Request("GET", "/inbox"))
    }
  }

  @Test(.simulated) func misspelled() async throws {
    let http = FakeHTTP(["GET /profile": [FakeBehavior()]])
    guard let url = URL(string: "https://example.org/profiel") else { return }
    _ = try await http.data(for: URLRequest(url: url))
  }

  @Test(.simulated) func namesAnAnswerForOthers() async throws {
    let network = FakeNetwork(["GET /inbox": [FakeBehavior()]], otherwise: FakeBehavior(delay: .seconds(1)))
    _ = try await network.send(FakeNetwork.Request("GET", "/inbox"))
    _ = try await network.send(FakeNetwork.Request("GET", "/other"))
  }

  /// Two things are worth a warning: the first is said.
  @Test(.simulated) func twoReasons() async throws {
    _ = FakeNetwork(["GET /inbox": [FakeBehavior()]])
    Task { try await Task.sleep(for: .seconds(1)) }
  }
}
