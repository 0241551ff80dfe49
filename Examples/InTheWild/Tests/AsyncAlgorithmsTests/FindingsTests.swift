import AsyncAlgorithms
import Simulator
import SimulatorTesting
import Testing

/// What swift-async-algorithms 1.1.4 does today. A test that fails here after an update says that something was mended.
@Suite struct `In swift-async-algorithms as published` {
  /// Yields an element, and cancels the consumer at some time in the first second.
  private static func cancelling(
    _ consume: @escaping @Sendable (AsyncStream<Int>) async throws -> Void
  ) -> @Sendable (Simulation) async throws -> Void {
    { _ in
      let (upstream, continuation) = AsyncStream.makeStream(of: Int.self)
      let consumer = Task { try await consume(upstream) }
      continuation.yield(1)
      try await Simulation.sleep(in: .zero ... .seconds(1))
      consumer.cancel()
      try await consumer.value
    }
  }

  private func find(
    seed: UInt64, options: Simulation.Options = .overlapping,
    _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) -> Explorer.Report {
    explore(seed: seed, options: options, body)
  }

  /// `DebounceStateMachine.cancelled()` forgets, where no demand is signaled, the task and both continuations. The program
  /// `debounce`, with the invariants that are checked without being asked.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `debounce leaks a task where it is cancelled between two elements`(seed: UInt64) throws {
    let report = find(seed: seed, options: Simulation.Options(steps: .preemptible)) { simulation in
      let (keys, typing) = AsyncStream.makeStream(of: String.self)
      let searching = Task { for await _ in keys.debounce(for: .milliseconds(300)) {} }
      simulation.cancelAnywhere(searching, "searching")
      typing.yield("swift")
      try await Task.sleep(for: .seconds(1))
      typing.finish()
      await searching.value
    }
    let leak = try #require(report.violations.first)
    #expect(leak.invariant == "nothing-leaks")
    #expect(leak.message.contains("DebounceStorage.startTask(stateMachine:)"), "\(leak.message)")
  }

  /// The same without the end of the upstream: nobody cancels the two tasks, and their continuations are unsafe ones, so that
  /// a search tells of them only where it is asked to.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `debounce leaks its tasks where a cancel meets the element`(seed: UInt64) throws {
    let report = find(seed: seed, Self.cancelling { for await _ in $0.debounce(for: .milliseconds(300)) {} })
    let leak = try #require(report.violations.first)
    #expect(leak.invariant == "nothing-outlives")
    #expect(leak.message.contains("DebounceStorage.startTask(stateMachine:)"), "\(leak.message)")
  }

  /// `AsyncShareSequence.Iteration.unregisterSide(_:)` cancels the task, but resumes no demand.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `share leaks its task where a cancel meets the element`(seed: UInt64) throws {
    let report = find(
      seed: seed, options: Simulation.Options(steps: .preemptible),
      Self.cancelling { for await _ in $0.share() {} })
    let leak = try #require(report.violations.first)
    #expect(leak.invariant == "nothing-leaks")
    #expect(leak.message.contains("AsyncShareSequence.Iteration.iterate()"), "\(leak.message)")
  }

  /// `iterate()` notes its demand and does not look whether the task was cancelled: the last consumer may have gone just
  /// before. No cancel of the program's is needed. Its elements come to both.
  @Test(.enabled(if: Simulation.followsMutexes), arguments: 0..<10 as Range<UInt64>)
  func `share leaks its task where its consumers end first`(seed: UInt64) throws {
    var explorer = Explorer(name: "share", options: Simulation.Options(steps: .preemptible)) { simulation in
      let shared = stream((.seconds(1), 1), (.seconds(1), 2), (.zero, 3)).share()
      async let first = all(shared)
      async let second = all(shared)
      let seen = try await [first, second]
      if seen != [[1, 2, 3], [1, 2, 3]] { simulation.fail("each element to both", "\(seen)") }
    }
    explorer.seed = seed
    explorer.budget.schedules = 1_000
    explorer.budget.violationsToFind = nil
    let report = explorer.explore()
    #expect(report.violations.map(\.invariant) == ["nothing-leaks"])
    #expect(report.violations.first?.message.contains("AsyncShareSequence.Iteration.iterate()") == true)
  }

  /// Its loop asks for the next element before it asks whether it was cancelled.
  @Test func `share without a bound leaks its task at every cancel`() throws {
    let report = find(
      seed: 0, options: Simulation.Options(),
      Self.cancelling { for await _ in $0.share(bufferingPolicy: .unbounded) {} })
    let leak = try #require(report.violations.first)
    #expect(leak.invariant == "nothing-leaks")
    #expect(leak.token.schedule.deviations.isEmpty)
  }

  /// `FlatMapLatestStateMachine.cancelled()` resumes the consumer, and forgets both tasks.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `flatMapLatest leaks its tasks where a cancel meets a consumer that waits`(seed: UInt64) throws {
    let report = find(
      seed: seed,
      Self.cancelling { for await _ in $0.flatMapLatest({ _ in AsyncStream<Int> { $0.yield(1) } }) {} })
    let leak = try #require(report.violations.first)
    #expect(leak.invariant == "nothing-outlives")
    #expect(leak.message.contains("FlatMapLatestStorage.startOuterTask"), "\(leak.message)")
  }

  /// Their tasks keep what they iterate, and nobody tells them that its consumer has gone.
  @Test(arguments: Left.allCases) func `a loop that breaks leaks the task of`(algorithm: Left) throws {
    let leak = try #require(find(seed: 0) { _ in await algorithm.takeOne(endless()) }.violations.first)
    #expect(leak.invariant == "nothing-outlives")
    #expect(leak.token.schedule.deviations.isEmpty)
  }

  enum Left: CaseIterable {
    case boundedBuffer, unboundedBuffer, share, flatMapLatest

    func takeOne(_ upstream: AsyncStream<Int>) async {
      switch self {
      case .boundedBuffer: for await _ in upstream.buffer(policy: .bounded(1)) { break }
      case .unboundedBuffer: for await _ in upstream.buffer(policy: .unbounded) { break }
      case .share: for await _ in upstream.share() { break }
      case .flatMapLatest:
        for await _ in upstream.flatMapLatest({ _ in AsyncStream<Int> { $0.yield(1) } }) { break }
      }
    }
  }

  /// An inner sequence may end before `FlatMapLatestStorage.startInnerTask` has written down that it began.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `flatMapLatest over short sequences waits for ever`(seed: UInt64) throws {
    @Sendable func loop(_: Simulation) async {
      for await _ in [1, 2].async.flatMapLatest({ _ in [Int]().async }) {}
    }
    let hang = try #require(find(seed: seed, loop).violations.first)
    #expect(hang.invariant == "deadlock")
    #expect(hang.message.contains("FlatMapLatestStorage.suspend()"), "\(hang.message)")
    #expect(hang.token.schedule.deviations.count == 1)
    #expect(
      find(seed: seed, options: Simulation.Options(steps: .atomic), loop).holds, "whole steps do not show it")
  }
}

/// The same without simulation, where no luck is needed.
@Suite struct `On the real runtime` {
  /// Whether an upstream is told that its consumer was cancelled.
  private func isTold(
    after pause: Duration, _ consume: @escaping @Sendable (AsyncStream<Int>) async -> Void
  ) async throws -> Bool {
    let (upstream, continuation) = AsyncStream.makeStream(of: Int.self)
    let (told, telling) = AsyncStream.makeStream(of: Void.self)
    continuation.onTermination = { _ in telling.yield() }
    let consumer = Task { await consume(upstream) }
    continuation.yield(1)
    try await Task.sleep(for: pause)
    consumer.cancel()
    await consumer.value
    return await withTaskGroup { group in
      group.addTask {
        for await _ in told { return true }; return false
      }
      group.addTask {
        try? await Task.sleep(for: .milliseconds(500))
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }

  private static let busy: @Sendable (Int) async -> Void = { _ in try? await Task.sleep(for: .seconds(5)) }

  @Test func `a plain loop ends its upstream`() async throws {
    #expect(
      try await isTold(after: .milliseconds(100)) { for await number in $0 { await Self.busy(number) } })
  }

  @Test func `debounce does not, where its consumer is at work`() async throws {
    let told = try await isTold(after: .milliseconds(100)) {
      for await number in $0.debounce(for: .milliseconds(1)) { await Self.busy(number) }
    }
    #expect(!told)
  }

  @Test func `flatMapLatest does not, where its consumer waits`() async throws {
    let told = try await isTold(after: .milliseconds(100)) {
      for await _ in $0.flatMapLatest({ _ in AsyncStream<Int> { $0.yield(1) } }) {}
    }
    #expect(!told)
  }
}
