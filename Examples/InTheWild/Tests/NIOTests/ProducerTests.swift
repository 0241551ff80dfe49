import NIOCore
import SimulatorTesting
import Testing

@Suite(.simulated(schedules: schedules, options: .overlapping))
struct `A sequence producer of swift-nio` {
  private typealias Producer = NIOAsyncSequenceProducer<Int, Watermark, Demand>
  private typealias Made = (source: Producer.Source, sequence: Producer, demand: Demand)

  private func make(finishOnDeinit: Bool = false) -> Made {
    let demand = Demand()
    let made = Producer.makeSequence(
      backPressureStrategy: Watermark(lowWatermark: 1, highWatermark: 2), finishOnDeinit: finishOnDeinit,
      delegate: demand)
    return (made.source, made.sequence, demand)
  }

  @Test func `hands over every element, in order`() async {
    let (source, sequence, demand) = make()
    let producer = Task {
      for number in 0..<4 { _ = source.yield(number) }
      source.finish()
    }
    var seen: [Int] = []
    for await number in sequence { seen.append(number) }
    await producer.value
    #expect(seen == [0, 1, 2, 3])
    #expect(demand.terminations == 1)
  }

  @Test func `asks for more as often as it is needed`() async {
    let (source, sequence, demand) = make()
    let producer = Task {
      for number in 0..<6 {
        guard await demand.more() else { return }
        // Before the yield, so that a demand which comes right after it is not lost.
        demand.isMet()
        if source.yield(number) == .produceMore { demand.produceMore() }
      }
      source.finish()
    }
    var seen: [Int] = []
    for await number in sequence { seen.append(number) }
    await producer.value
    #expect(seen == [0, 1, 2, 3, 4, 5])
    #expect(demand.terminations == 1)
  }

  // Both yield before the consumer is there: see FindingsTests.swift for what happens else.
  @Test func `ends where its consumer is cancelled`() async {
    let (source, sequence, demand) = make()
    _ = source.yield(0)
    let consumer = Task { for await _ in sequence {} }
    Simulation.current?.cancelAnywhere(consumer, "the consumer")
    let producer = Task { for number in 0..<3 { _ = source.yield(number) } }
    let canceller = Task { consumer.cancel() }
    await consumer.value
    await producer.value
    await canceller.value
    source.finish()
    #expect(demand.terminations == 1)
    #expect(source.yield(9) == .dropped)
  }

  @Test func `ends once, whoever is first: the end, a cancel, or the last reference`() async {
    let (source, sequence, demand) = make(finishOnDeinit: true)
    _ = source.yield(0)
    let consumer = Task { for await _ in sequence { break } }
    let producer = Task {
      _ = source.yield(1)
      _ = source.yield(2)
    }
    let finisher = Task { source.finish() }
    let canceller = Task { consumer.cancel() }
    await consumer.value
    await producer.value
    await finisher.value
    await canceller.value
    #expect(demand.terminations == 1)
  }
}

@Suite(.simulated(schedules: schedules, options: .overlapping))
struct `A throwing sequence producer of swift-nio` {
  private struct Ended: Error {}
  private typealias Producer = NIOThrowingAsyncSequenceProducer<Int, any Error, Watermark, Demand>

  private func make() -> (Producer.NewSequence, Demand) {
    let demand = Demand()
    let made = Producer.makeSequence(
      backPressureStrategy: Watermark(lowWatermark: 1, highWatermark: 2), finishOnDeinit: false,
      delegate: demand)
    return (made, demand)
  }

  @Test func `hands over every element before its error`() async {
    let (made, demand) = make()
    let (source, sequence) = (made.source, made.sequence)
    let producer = Task {
      for number in 0..<3 { _ = source.yield(number) }
      source.finish(Ended())
    }
    var seen: [Int] = []
    await #expect(throws: Ended.self) { for try await number in sequence { seen.append(number) } }
    await producer.value
    #expect(seen == [0, 1, 2])
    #expect(demand.terminations == 1)
  }

  @Test func `throws a cancellation error at most, where its consumer is cancelled`() async {
    let (made, demand) = make()
    let (source, sequence) = (made.source, made.sequence)
    let consumer = Task {
      var seen: [Int] = []
      for try await number in sequence { seen.append(number) }
      return seen
    }
    Simulation.current?.cancelAnywhere(consumer, "the consumer")
    let producer = Task {
      for number in 0..<3 { _ = source.yield(number) }
      source.finish()
    }
    let canceller = Task { consumer.cancel() }
    await producer.value
    await canceller.value
    switch await consumer.result {
    case .success(let seen): #expect(seen == Array(0..<seen.count))
    case .failure(let error): #expect(error is CancellationError)
    }
    #expect(demand.terminations == 1)
  }
}
