import Simulator
import SimulatorStrategies
import Testing

/// What a person reads when something broke: what matters, in columns, and how to see it again.
@Suite struct `Explaining a violation` {
  private actor Kettle {
    private(set) var isOn = false
    func turn(on: Bool) { isOn = on }
  }
  private actor Radio {
    private(set) var volume = 0
    func louder() { volume += 1 }
  }

  /// The radio has nothing to do with the kettle.
  @Sendable private static func kitchen(_ simulation: Simulation) async throws {
    let kettle = Kettle()
    let radio = Radio()
    simulation.observe("kettle") { .bool(kettle.assumeIsolated { $0.isOn }) }
    simulation.always("never on") { !kettle.assumeIsolated { $0.isOn } }
    Task(name: "listener") { for _ in 0..<5 { await radio.louder() } }
    try await Task.sleep(for: .milliseconds(20))
    await kettle.turn(on: true)
  }

  @Test func `a domain that the violation does not depend on is left out`() throws {
    let violation = try #require(explore("kitchen", Self.kitchen).violations.first)
    #expect(violation.description.contains("Kettle"))
    #expect(!violation.description.contains("Radio"))
  }

  @Test func `a step tells its task, its function and its line, a change both values`() throws {
    let text = try #require(explore("kitchen", Self.kitchen).violations.first).description
    #expect(text.contains("kettle: false → true"))
    #expect(text.contains("ExplanationTests.swift:"))
    #expect(text.contains("`.kitchen(_:)"))
    #expect(text.contains("20 ms"))
    #expect(text.contains("✗ never on"))
  }

  @Test func `the last line replays it`() throws {
    let violation = try #require(explore("kitchen", Self.kitchen).violations.first)
    #expect(violation.description.hasSuffix("replay: \(violation.token)"))
  }

  @Test func `a deviation is marked where it shows, and said in words`() throws {
    let violation = try #require(
      explore("late", strategy: Strategies.RandomWalk(), `Shrinking a schedule`.lateIncrement).violations
        .first)
    let deviations = try #require(violation.shrinking?.deviations)
    #expect(deviations.allSatisfy { $0.contains(" runs before ") })
    #expect(violation.description.contains("» task "))
    #expect(violation.description.contains("both agree for "))
    #expect(violation.description.contains("reproduced 10/10"))
  }

  @Test func `a value that was not the natural one is shown with both`() throws {
    let report = explore { simulation in
      let store = FakeStore(
        [
          "write": [
            FakeBehavior(
              delay: .between(.milliseconds(100), and: .seconds(2)), faults: [.noFault, .afterCommit])
          ]
        ])
      try? await store.write("a", for: "letter")
      if simulation.now > .start.advanced(by: .seconds(1)) { simulation.fail("quick", "\(simulation.now)") }
    }
    #expect(report.violations.first?.shrinking?.deviations == ["at step 3 write: 2 s instead of 100 ms"])
  }

  @Test func `what the natural order violates is compared with a run of one task after the other`() throws {
    let body: @Sendable (Simulation) async throws -> Void = { simulation in
      let counter = Counter()
      async let first: Void = counter.set(counter.value + 1)
      async let second: Void = counter.set(counter.value + 1)
      _ = await (first, second)
      if await counter.value != 2 { simulation.fail("no update is lost", "two increments, one counted") }
    }
    let violation = try #require(explore("counter", body).violations.first)
    #expect(violation.token.schedule == .natural)
    let nearest = try #require(violation.shrinking?.nearestPassing)
    #expect(simulate(nearest.token.schedule, body).violations.isEmpty)
  }
}
