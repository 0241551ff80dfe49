import NIOCore
import Simulator
import SimulatorTesting
import Testing

/// What swift-nio 2.101.2 does today. A test that fails here after an update says that something was mended.
@Suite struct `In swift-nio as published` {
  private typealias Producer = NIOAsyncSequenceProducer<Int, Watermark, Closing>

  /// Closes a connection when its sequence is terminated.
  private final class Closing: NIOAsyncSequenceProducerDelegate {
    private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    func produceMore() {}
    func didTerminate() { continuation.finish() }
    func untilTerminated() async { for await _ in stream {} }
  }

  private static func make() -> (Producer.Source, Producer, Closing) {
    let closing = Closing()
    let made = Producer.makeSequence(
      backPressureStrategy: Watermark(lowWatermark: 1, highWatermark: 2), finishOnDeinit: false,
      delegate: closing)
    return (made.source, made.sequence, closing)
  }

  /// `didTerminate` is promised exactly once. `cancelled()` goes from its initial state to the finished one without it, where
  /// a `CancellationError` is no `Failure`.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `a sequence that is cancelled before its first element never says that it terminated`(seed: UInt64)
    throws
  {
    let report = explore(seed: seed, options: .overlapping) { _ in
      let (source, sequence, closing) = Self.make()
      let consumer = Task { for await _ in sequence {} }
      let canceller = Task { consumer.cancel() }
      await closing.untilTerminated()
      await canceller.value
      source.finish()
    }
    let hang = try #require(report.violations.first)
    #expect(hang.invariant == "deadlock")
    #expect(hang.token.schedule.deviations.count == 1)
  }

  /// No luck is needed: the consumer is cancelled before it begins.
  @Test func `so it does on the real runtime`() async throws {
    let (source, sequence, closing) = Self.make()
    let consumer = Task {
      while !Task.isCancelled { await Task.yield() }
      for await _ in sequence {}
    }
    consumer.cancel()
    await consumer.value
    source.finish()
    let isTerminated = await withTaskGroup { group in
      group.addTask {
        await closing.untilTerminated()
        return !Task.isCancelled
      }
      group.addTask {
        try? await Task.sleep(for: .milliseconds(500))
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? true
    }
    #expect(!isTerminated)
  }
}
