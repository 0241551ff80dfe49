import Simulator
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

  private func text(_ result: ExitTest.Result) -> String {
    String(decoding: result.standardErrorContent, as: UTF8.self)
  }
}
