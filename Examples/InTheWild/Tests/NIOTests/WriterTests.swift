import NIOCore
import SimulatorTesting
import Testing

@Suite(.simulated(schedules: schedules, options: .overlapping))
struct `A writer of swift-nio` {
  private typealias Writer = NIOAsyncWriter<Int, Sink<Int>>

  private func make(isWritable: Bool) -> (Writer, Writer.Sink, Sink<Int>) {
    let sink = Sink<Int>()
    let made = Writer.makeWriter(isWritable: isWritable, finishOnDeinit: false, delegate: sink)
    return (made.writer, made.sink, sink)
  }

  @Test func `delivers what two tasks write, each in its order`() async throws {
    let (writer, sink, delegate) = make(isWritable: true)
    await withThrowingTaskGroup { group in
      for start in [0, 10] {
        group.addTask {
          try await writer.yield(start)
          try await writer.yield(contentsOf: [start + 1, start + 2])
        }
      }
    }
    writer.finish()
    #expect(delegate.written.filter { $0 < 10 } == [0, 1, 2])
    #expect(delegate.written.filter { $0 >= 10 } == [10, 11, 12])
    #expect(delegate.terminations == 1)
    sink.finish()
  }

  @Test func `delivers all that was written before it could be`() async throws {
    let (writer, sink, delegate) = make(isWritable: false)
    let first = Task { try await writer.yield(contentsOf: [1, 2]) }
    let second = Task { try await writer.yield(3) }
    let gate = Task {
      sink.setWritability(to: true)
      sink.setWritability(to: false)
      sink.setWritability(to: true)
    }
    try await first.value
    try await second.value
    await gate.value
    writer.finish()
    #expect(delegate.written.sorted() == [1, 2, 3])
    #expect(delegate.terminations == 1)
    sink.finish()
  }

  @Test func `lets go of a task that is cancelled while it cannot write`() async throws {
    let (writer, sink, delegate) = make(isWritable: false)
    let producer = Task { try await writer.yield(1) }
    Simulation.current?.cancelAnywhere(producer, "the producer")
    let other = Task { try await writer.yield(2) }
    let canceller = Task { producer.cancel() }
    let gate = Task { sink.setWritability(to: true) }
    await canceller.value
    await gate.value
    let written = await producer.result
    try await other.value
    writer.finish()
    if case .success = written {
      #expect(delegate.written.sorted() == [1, 2])
    } else {
      #expect(delegate.written == [2])
    }
    #expect(delegate.terminations == 1)
    sink.finish()
  }

  @Test func `lets go of all that wait where it is finished, from either side`() async {
    let (writer, sink, delegate) = make(isWritable: false)
    let producers = (0..<2).map { number in Task { try await writer.yield(number) } }
    let closer = Task { writer.finish() }
    let cutter = Task { sink.finish() }
    for producer in producers { _ = await producer.result }
    await closer.value
    await cutter.value
    #expect(delegate.terminations <= 1)
    #expect(delegate.written.isEmpty)
  }
}

/// What an asynchronous channel is made of, as its own tests make it: without an event loop.
@Suite(.simulated(schedules: schedules, options: .overlapping))
struct `The streams of NIOAsyncChannel` {
  @Test func `hand over what comes in, and end`() async throws {
    let (inbound, source) = NIOAsyncChannelInboundStream<Int>.makeTestingStream()
    let producer = Task {
      for number in 0..<3 { source.yield(number) }
      source.finish()
    }
    var seen: [Int] = []
    for try await number in inbound { seen.append(number) }
    await producer.value
    #expect(seen == [0, 1, 2])
  }

  @Test func `hand over what goes out, and end`() async throws {
    let (outbound, sink) = NIOAsyncChannelOutboundWriter<Int>.makeTestingWriter()
    let producer = Task {
      for number in 0..<3 { try await outbound.write(number) }
      outbound.finish()
    }
    var seen: [Int] = []
    for await number in sink { seen.append(number) }
    try await producer.value
    #expect(seen == [0, 1, 2])
  }
}
