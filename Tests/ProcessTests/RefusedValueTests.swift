import Simulator
import Testing

/// A value that cannot be meant ends the program with a sentence that names the cure.
@Suite struct `Refused values` {
  @Test func `a choice among no options is refused`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = simulate { _ = $0.choose(among: [Int]()) }
    }
    #expect(text(result).contains("choose(among:) has no option to choose: give it at least one"))
  }

  @Test func `a choice among durations before zero is refused`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = simulate { _ = $0.choose(in: .seconds(-1) ... .seconds(1)) }
    }
    #expect(text(result).contains("choose(in:) is given durations from -1 s on: begin the range at zero"))
  }

  @Test func `work that costs less than nothing is refused`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = simulate { _ in await Simulation.spend(.milliseconds(-5)) }
    }
    #expect(text(result).contains("work cannot cost -5 ms"))
  }

  @Test func `a condition that is to come true in the past is refused`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = simulate { $0.eventually("done", within: .seconds(-2)) { true } }
    }
    #expect(text(result).contains("“done” is to come true within -2 s, which is over"))
  }

  @Test func `limits that no execution can keep are refused`() async throws {
    let time = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = simulate(options: Simulation.Options(timeLimit: .seconds(-1))) { _ in }
    }
    #expect(text(time).contains("no execution ends at -1 s: set `timeLimit` to zero or more"))
    let steps = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = simulate(options: Simulation.Options(stepLimitPerInstant: 0)) { _ in }
    }
    #expect(text(steps).contains("an execution of 0 steps runs nothing"))
    let patience = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = simulate(options: Simulation.Options(foreignThreadTimeout: .seconds(-3))) { _ in }
    }
    #expect(text(patience).contains("`foreignThreadTimeout` is -3 s"))
    let jitter = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = simulate(options: Simulation.Options(timerJitter: .milliseconds(-1))) { _ in }
    }
    #expect(text(jitter).contains("no sleep ends -1 ms late: set `timerJitter` to zero"))
    let threads = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = simulate(options: Simulation.Options(poolThreads: 0)) { _ in }
    }
    #expect(text(threads).contains("no task runs on 0 threads: set `poolThreads` to 1 or more, or to nil"))
  }

  @Test(.enabled(if: !Simulation.followsAtomics))
  func `weak memory without the flag for atomics is refused`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = simulate(options: Simulation.Options(memory: .weak)) { _ in }
    }
    #expect(text(result).contains("without the build flag no atomic is seen, so memory is not weak"))
  }

  @Test func `a virtual clock cannot be moved back`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await VirtualClock().advance(by: .seconds(-1))
    }
    #expect(text(result).contains("a VirtualClock cannot be advanced by -1 s"))
  }

  @Test func `cancelAnywhere from outside its simulation is refused`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      nonisolated(unsafe) var kept: Simulation?
      _ = simulate { kept = $0 }
      kept?.cancelAnywhere(Task {})
    }
    #expect(text(result).contains("a simulation's handle is for code that runs inside that simulation"))
  }

  @Test func `cancelAnywhere of a task from outside is refused`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let outside = Task {}
      _ = simulate { $0.cancelAnywhere(outside) }
    }
    #expect(text(result).contains("cancelAnywhere is for a task of this simulation: make the task inside"))
  }

  private func text(_ result: ExitTest.Result) -> String {
    String(decoding: result.standardErrorContent, as: UTF8.self)
  }
}
