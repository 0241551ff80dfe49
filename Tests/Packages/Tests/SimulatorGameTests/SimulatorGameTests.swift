import Simulator
import SimulatorGame
import Testing

/// What a report says of a module and an actor whose names begin as the simulator's own do.
@Suite struct `The race in a simulator game` {
  private static let report = explore { simulation in
    let account = FakeAccount()
    async let sword: Void = account.pay(70)
    async let shield: Void = account.pay(70)
    _ = await (sword, shield)
    if await account.coins < 0 { simulation.fail("never overdrawn", "the account is overdrawn") }
  }

  private let text: String

  init() throws {
    text = try Explorer.Explanation(#require(Self.report.violations.first)).description
  }

  @Test func `has a name`() {
    #expect(Self.report.violations.first?.diagnosis == .interleaved)
    #expect(text.contains("ran on FakeAccount between two steps"))
  }

  @Test func `has a column and rows in the timeline`() throws {
    let heading = try #require(text.split(separator: "\n").first { $0.contains("time  ") })
    #expect(heading.contains("FakeAccount"))
    #expect(text.contains("pay(_:)"))
  }

  @Test func `has source lines`() {
    #expect(text.contains("FakeAccount.swift:8"))
    #expect(text.contains("FakeAccount.swift:10"))
  }
}
