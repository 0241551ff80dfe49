import Simulator
import Testing

/// Where a trace tells that the program cancels a task of its own.
@Suite struct CancelEventTests {
  /// The cancels that a trace tells, as paths of tasks; "group" stands for the tasks of one.
  private func cancels(_ body: @escaping @Sendable (Simulation) async throws -> Void) -> [String] {
    let trace = simulate { try await body($0) }.trace
    return trace.events.compactMap { event in
      guard case .taskCancelled(let task) = event.kind else { return nil }
      return task.map { trace.path(ofTask: $0) } ?? "group"
    }
  }

  /// Returns when its task is cancelled, and not before.
  private static func waitsForCancel() async -> Int? {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    defer { continuation.finish() }
    for await value in stream { return value }
    return nil
  }

  @Test func `a task that is cancelled is told by its number`() {
    let told = cancels { _ in
      let task = Task { try? await Task.sleep(for: .seconds(1)) }
      await Task.yield()
      task.cancel()
      await task.value
    }
    #expect(told == ["1"])
  }

  @Test func `a task that cancels itself is told`() {
    let told = cancels { _ in
      await Task { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }.value
    }
    #expect(told == ["1"])
  }

  @Test func `neither a second cancel nor one that comes too late is told`() {
    let told = cancels { _ in
      let task = Task { try? await Task.sleep(for: .seconds(1)) }
      task.cancel()
      task.cancel()
      await task.value
      task.cancel()
    }
    #expect(told == ["1"])
  }

  @Test func `groups of all four kinds are told`() {
    let told = cancels { _ in
      await withTaskGroup(of: Void.self) { $0.cancelAll() }
      await withThrowingTaskGroup(of: Void.self) { $0.cancelAll() }
      await withDiscardingTaskGroup { $0.cancelAll() }
      try await withThrowingDiscardingTaskGroup { $0.cancelAll() }
    }
    #expect(told == Array(repeating: "group", count: 4))
  }

  @Test func `a child that nobody waits for is cancelled at the end of its scope`() {
    let told = cancels { _ in
      do { async let _ = Task.sleep(for: .seconds(1)) }
      do {
        async let awaited: Void = Task.sleep(for: .seconds(1))
        try await awaited
      }
    }
    #expect(told == ["1"])
  }

  @Test func `an action that happens between steps and cancels is told`() {
    let told = cancels { simulation in
      let task = Task { await Self.waitsForCancel() }
      simulation.anytime("cancel") { task.cancel() }
      _ = await task.value
    }
    #expect(told == ["1"])
  }

  @Test func `a cancel is no part of a trace's digest`() {
    let with = simulate { _ in
      let task = Task {}
      task.cancel()
      await task.value
    }
    let without = simulate { _ in
      let task = Task {}
      await task.value
    }
    #expect(with.trace.digest == without.trace.digest)
    #expect(with.trace.events.count == without.trace.events.count + 1)
  }
}
