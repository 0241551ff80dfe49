import Simulator
import SimulatorStrategies
import Testing

/// What must end the process, seen from outside.
@Suite struct `Refusals` {
  private static func assumeMain() { MainActor.assumeIsolated {} }
  private actor Lonely {
    nonisolated func assume() { assumeIsolated { _ in } }
  }

  @Test func `assumeIsolated on the pool traps, wherever the simulation runs`() async {
    await #expect(processExitsWith: .failure) {
      _ = simulate { _ in Refusals.assumeMain() }
    }
    await #expect(processExitsWith: .failure) {
      _ = simulate { _ in Lonely().assume() }
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      _ = simulate { _ in Refusals.assumeMain() }
    }
  }

  @Test func `a simulation inside a simulation is refused in one sentence`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = simulate { _ in _ = explore(schedules: 1) { _ in } }
    }
    #expect(text(result).contains("a simulation cannot run inside a simulation"))
  }

  @Test func `a handle used outside its simulation is refused in one sentence`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      nonisolated(unsafe) var kept: Simulation?
      _ = simulate { kept = $0 }
      _ = kept?.now
    }
    #expect(text(result).contains("a simulation's handle is for code that runs inside that simulation"))
  }

  @Test func `a search of no schedules is refused, and the refusal says what to give`() async throws {
    let none = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = explore(schedules: 0) { _ in }
    }
    #expect(
      text(none).contains("a search of 0 schedules tries nothing and proves nothing; set `schedules` to 1"))
    let fewer = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = explore(schedules: -3) { _ in }
    }
    #expect(text(fewer).contains("a search of -3 schedules tries nothing"))
  }

  @Test func `a negative budget for shrinking is refused`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var explorer = Explorer(name: "test") { _ in }
      explorer.budget.shrinkingExecutions = -1
      _ = explorer.explore()
    }
    #expect(text(result).contains("`shrinkingExecutions` is -1; set it to 0"))
  }

  @Test func `shrinking in no time is refused`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var explorer = Explorer(name: "test") { _ in }
      explorer.budget.shrinkingTime = .zero
      _ = explorer.explore()
    }
    #expect(text(result).contains("`shrinkingTime` is 0 s; set `shrinkingExecutions` to 0"))
  }

  @Test func `a negative number of deviations is refused, by the budget and by the strategy`() async throws {
    let budget = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var explorer = Explorer(name: "test") { _ in }
      explorer.budget.exhaustiveDeviationBound = -1
      _ = explorer.explore()
    }
    #expect(text(budget).contains("no schedule has -1 deviations"))
    let strategy = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Strategies.DelayBounded(atMost: -1)
    }
    #expect(text(strategy).contains("no schedule has -1 deviations"))
  }

  @Test func `PCT for bugs of no ordering is refused`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = explore(strategy: .pct(depth: 0)) { _ in }
    }
    #expect(text(result).contains("a bug takes at least one ordering"))
  }

  @Test func `limits that no process can keep are refused`() async throws {
    let time = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var explorer = Explorer(name: "test") { _ in }
      explorer.isolation = .forks
      explorer.processLimits.stall = .zero
      _ = explorer.explore()
    }
    #expect(text(time).contains("`stall` is 0.0 seconds"))
    let memory = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var explorer = Explorer(name: "test") { _ in }
      explorer.isolation = .forks
      explorer.processLimits.memory = 0
      _ = explorer.explore()
    }
    #expect(text(memory).contains("`memory` is 0"))
  }

  @Test func `an invariant without a name and a diagnosis without one are refused`() async throws {
    let invariant = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Invariant("", "Nothing.") { Quiet() }
    }
    #expect(text(invariant).contains("an invariant needs a name"))
    let diagnosis = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Invariant.Diagnosis("")
    }
    #expect(text(diagnosis).contains("a diagnosis needs a name"))
  }

  private struct Quiet: Invariant.Monitor {
    var judged: Bool { true }
    mutating func saw(_ event: Trace.Event) -> String? { nil }
  }

  @Test func `bounds below nothing are refused`() async throws {
    let bound = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Invariant.settles(within: .seconds(-1))
    }
    #expect(text(bound).contains("the bound of settles-within is -1.0 seconds"))
    let capacity = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Invariant.withinCapacity(-1, of: "cache")
    }
    #expect(text(capacity).contains("a cache has room for 0 entries at least, and not for -1"))
  }

  private func text(_ result: ExitTest.Result) -> String {
    String(decoding: result.standardErrorContent, as: UTF8.self)
  }
}
