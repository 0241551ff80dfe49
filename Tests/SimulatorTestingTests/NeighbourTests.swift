import Foundation
import Simulator
import SimulatorStrategies
import SimulatorTesting
import Testing

/// Simulated tests and ordinary ones at the same time.
@Suite struct `Beside simulated tests` {
  @Test(.simulated(schedules: 3_000, strategy: Strategies.RandomWalk()), arguments: 0..<8)
  func `searches queue up, and all are run`(_: Int) async throws {
    #expect(Simulation.current != nil)
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 { group.addTask { try await Task.sleep(for: .milliseconds(.random(in: 0..<3))) } }
      try await group.waitForAll()
    }
  }

  @Test(arguments: 0..<8) func `an ordinary test keeps real time, threads and actors`(_: Int) async throws {
    #expect(Simulation.current == nil)
    let wall = Date()
    let clock = ContinuousClock.now
    for _ in 0..<20 {
      try await Task.sleep(for: .milliseconds(5))
      #expect(Simulation.current == nil)
    }
    #expect(clock.duration(to: .now) >= .milliseconds(100))
    #expect(Date().timeIntervalSince(wall) >= 0.09)
    let answer = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.01)
        continuation.resume(returning: 42)
      }
    }
    #expect(answer == 42)
    await MainActor.run { MainActor.assertIsolated() }
    #expect(Simulation.current == nil)
  }

  @Test func `a simulated test leaves the pool's threads to others`() async throws {
    // More searches than the pool has threads, which compute until they are told to stop.
    let isOver = Flag()
    let width = ProcessInfo.processInfo.activeProcessorCount
    try await withThrowingTaskGroup { group in
      for _ in 0..<width * 2 { group.addTask { try await Self.search(1) { while !isOver.isSet {} } } }
      group.addTask {
        for _ in 0..<20 { try await Task.sleep(for: .milliseconds(1)) }
        isOver.set()
      }
      try await group.waitForAll()
    }
  }

  @Test func `a search ends when its test is cancelled, as by a time limit`() async throws {
    let hasBegun = Flag()
    let test = Task {
      try await Self.search(.max) {
        hasBegun.set()
        async let other: Void = Task.yield()
        await other
      }
    }
    while !hasBegun.isSet { await Task.yield() }
    test.cancel()
    await #expect(throws: CancellationError.self) { try await test.value }
  }

  /// Runs `body` under so many schedules, as the trait does.
  private static func search(
    _ schedules: Int, _ body: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let test = try #require(Test.current)
    let trait: SimulatedTrait = .simulated(
      schedules: schedules, strategy: Strategies.RandomWalk(), inSeparateProcess: false)
    try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
  }
}
