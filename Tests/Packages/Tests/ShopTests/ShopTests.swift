import Shop
import SimulatorTesting
import Testing

/// Every word of the shop where a type is expected.
private typealias Words = (
  Event, Action, Call, Value, Outcome, Report, Share, Reply, Race, Budget, Portfolio, Trace, Schedule,
  Choice, Candidate, Strategy, Fault, Violation, Invariant, Judge, Monitor, Timeline, Explanation,
  Execution, Isolation, Behavior, Behavior, Timing, NetworkRequest, NetworkResponse, KeyValueStore,
  NetworkTransport, Replay, Feedback, Pick, Exhaustion, Coverage, Diagnosis, SharedObject, Explorer,
  Shrinking, Wholes, BuiltIn, CodePlace, ProcessLimits, System, World, Observed
)

/// Every word of the shop where a value is expected.
private let words: [any Word] = [
  Event(), Action(), Call(), Value(), Outcome(), Report(), Share(), Reply(), Race(), Budget(),
  Portfolio(), Trace(), Schedule(), Choice(), Candidate(), Strategy(), Fault(), Violation(),
  Invariant(), Judge(), Monitor(), Timeline(), Explanation(), Execution(), Isolation(), Behavior(),
  Behavior(), Timing(), NetworkRequest(), NetworkResponse(), KeyValueStore(), NetworkTransport(),
  Replay(), Feedback(), Pick(), Exhaustion(), Coverage(), Diagnosis(), SharedObject(), Explorer(),
  Shrinking(), Wholes(), BuiltIn(), CodePlace(), ProcessLimits(), System(), World(), Observed(),
]

/// A type whose method has the name of a function of ours.
private actor Wallet {
  private(set) var spent = Duration.zero

  func spend(_ time: Duration) { spent += time }
  func buy() { spend(.seconds(1)) }
}

@Suite(.simulated(schedules: 20)) struct `A shop with words of its own` {
  @Test func `uses them unqualified`() {
    #expect(words.count == 48)
    #expect(words.allSatisfy { String(reflecting: type(of: $0)).hasPrefix("Shop.") })
    #expect(Words.self == Words.self)
  }

  @Test func `sees the names that a test needs`() async throws {
    let simulation = try #require(Simulation.current)
    let network = FakeNetwork(
      delay: .between(.milliseconds(10), and: .seconds(1)), replies: [.ok("open"), .offline])
    simulation.anytime("note") { simulation.record(.note("opening hours")) }
    try? await network.exchange("GET /hours", "today") { _ in }
    #expect(network.received("GET /hours").with("today").once)
  }

  @Test func `spends by its own methods`() async throws {
    let wallet = Wallet()
    await wallet.buy()
    #expect(await wallet.spent == .seconds(1))
    let purse = Purse()
    await purse.buy()
    #expect(await purse.spent == .seconds(1))
    await spend(.seconds(1), from: purse)
    #expect(await purse.spent == .seconds(2))
    #expect(Simulation.current?.now == .start)
  }
}

/// The strategies that `import SimulatorTesting` shows.
@Suite struct `A shop that names its strategy` {
  @Test(.simulated(schedules: 20, strategy: .portfolio)) func `takes turns`() async { await buys() }
  @Test(.simulated(schedules: 20, strategy: .randomWalk)) func `walks`() async { await buys() }
  @Test(.simulated(schedules: 20, strategy: .pct(depth: 2))) func `has priorities`() async { await buys() }
  @Test(.simulated(schedules: 20, strategy: .surw)) func `selects`() async { await buys() }
  @Test(.simulated(strategy: .reduced)) func `tries each behavior`() async { await buys() }

  private func buys() async {
    let wallet = Wallet()
    async let one: Void = wallet.buy()
    async let other: Void = wallet.buy()
    _ = await (one, other)
    #expect(await wallet.spent == .seconds(2))
  }
}
