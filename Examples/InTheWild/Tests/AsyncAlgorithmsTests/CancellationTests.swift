import AsyncAlgorithms
import SimulatorTesting
import Testing

/// A consumer that is cancelled, at any point. Three more algorithms leave something behind: see FindingsTests.swift.
@Suite(.simulated(schedules: schedules, options: .overlapping))
struct `A consumer that is cancelled leaves nothing behind of` {
  private typealias Consume = @Sendable (AsyncStream<Int>) async throws -> Void

  /// The upstream never ends by itself; what is alive at the end is a violation.
  private func cancel(_ consume: @escaping Consume) async throws {
    let (upstream, continuation) = AsyncStream.makeStream(of: Int.self)
    let consumer = Task { try await consume(upstream) }
    Simulation.current?.cancelAnywhere(consumer, "the consumer")
    continuation.yield(1)
    continuation.yield(2)
    try await Task.sleep(for: .seconds(1))
    continuation.yield(3)
    try await Task.sleep(for: .seconds(1))
    consumer.cancel()
    try? await consumer.value
  }

  /// Another upstream, which does not end either.
  private static func other() -> AsyncStream<Int> { AsyncStream { $0.yield(10) } }

  @Test func merge() async throws {
    try await cancel { for await _ in AsyncAlgorithms.merge($0, Self.other()) {} }
  }

  @Test func zip() async throws {
    try await cancel { for await _ in AsyncAlgorithms.zip($0, Self.other()) {} }
  }

  @Test func combineLatest() async throws {
    try await cancel { for await _ in AsyncAlgorithms.combineLatest($0, Self.other()) {} }
  }

  @Test func `a bounded buffer`() async throws {
    try await cancel { for await _ in $0.buffer(policy: .bounded(1)) {} }
  }

  @Test func `an unbounded buffer`() async throws {
    try await cancel { for await _ in $0.buffer(policy: .unbounded) {} }
  }

  @Test func throttle() async throws {
    try await cancel { for try await _ in $0._throttle(for: .milliseconds(300)) {} }
  }

  @Test func chunks() async throws {
    try await cancel { for await _ in $0.chunks(ofCount: 2, or: .repeating(every: .milliseconds(300))) {} }
  }

  @Test func `chunks by time`() async throws {
    try await cancel { for await _ in $0.chunked(by: .repeating(every: .milliseconds(300))) {} }
  }

  @Test func `a channel, sending`() async throws {
    let channel = AsyncChannel<Int>()
    try await cancel { for await number in $0 { await channel.send(number) } }
  }

  @Test func `a channel, receiving`() async throws {
    let channel = AsyncChannel<Int>()
    let sender = Task { for number in 0..<2 { await channel.send(number) } }
    try await cancel { _ in for await _ in channel {} }
    sender.cancel()
    await sender.value
  }
}

/// A consumer that leaves its loop after the first element.
@Suite(.simulated(schedules: schedules, options: .overlapping))
struct `A consumer that breaks leaves nothing behind of` {
  @Test func merge() async throws {
    for await _ in AsyncAlgorithms.merge(endless(), endless()) { break }
  }

  @Test func zip() async throws {
    for await _ in AsyncAlgorithms.zip(endless(), endless()) { break }
  }

  @Test func combineLatest() async throws {
    for await _ in AsyncAlgorithms.combineLatest(endless(), endless()) { break }
  }

  @Test func chunks() async throws {
    for await _ in endless().chunks(ofCount: 2, or: .repeating(every: .milliseconds(300))) { break }
  }

  @Test func debounce() async throws {
    for await _ in endless().debounce(for: .milliseconds(100)) { break }
  }
}
