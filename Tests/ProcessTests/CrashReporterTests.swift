import Simulator
import Testing

/// What is left of a process that simulated code has ended.
@Suite struct `Crash reporter` {
  static func trapOnSecondChoice(_ simulation: Simulation) async throws {
    try await Task.sleep(for: simulation.choose(among: [.seconds(1), .seconds(2)]))
    if simulation.now >= VirtualInstant(nanoseconds: 2_000_000_000) { fatalError("too late") }
  }

  @Test func `a trap is preceded by the schedule under which it happened`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = explore { try await `Crash reporter`.trapOnSecondChoice($0) }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Fatal error: too late"))
    #expect(text.contains("simulator: the process ends under the schedule debug/0:1/2#"))
  }

  @Test func `without isolation there are none`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var explorer = Explorer(name: "silent") { try await `Crash reporter`.trapOnSecondChoice($0) }
      explorer.isolation = .none
      _ = explorer.explore()
    }
    #expect(!String(decoding: result.standardErrorContent, as: UTF8.self).contains("simulator: "))
  }

  @Test func `a process with threads is not forked, and the report says so`() {
    var explorer = Explorer(name: "isolated") { _ in }
    explorer.isolation = .forks
    #expect(explorer.explore().warnings.contains { $0.hasPrefix("not isolated: the process has ") })
  }
}
