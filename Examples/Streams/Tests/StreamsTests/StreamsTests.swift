import AsyncAlgorithms
import Simulator
import SimulatorTesting
import Streams
import Testing

/// swift-async-algorithms as it is, with its own locks and clocks, under simulation.
@Suite(.simulated(schedules: 300)) struct `Asynchronous algorithms` {
  /// Yields each element when it is due.
  private func stream<Element: Sendable>(
    _ elements: [(after: Duration, Element)]
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
    Task {
      for (pause, element) in elements {
        try await Task.sleep(for: pause)
        continuation.yield(element)
      }
      continuation.finish()
    }
    return stream
  }

  private var now: VirtualInstant { Simulation.current?.now ?? .start }

  @Test func `debounce asks when the typing pauses`() async throws {
    let keys = stream([
      (.zero, "s"), (.milliseconds(100), "sw"), (.milliseconds(100), "swi"), (.seconds(2), "swift"),
    ])
    let answers = try await Search(keys) { query in "about \(query)" }.answers()
    #expect(answers == ["about swi", "about swift"])
    #expect(now == .start.advanced(by: .milliseconds(2_200)))
  }

  @Test func `throttle lets one through every second`() async throws {
    let ticks = stream((0..<10).map { (after: .milliseconds(400), $0) })
    var seen: [Int] = []
    for try await tick in ticks._throttle(for: .seconds(1)) { seen.append(tick) }
    #expect(seen.first == 0)
    #expect(seen.count < 10)
    #expect(seen == seen.sorted())
    #expect(now == .start.advanced(by: .seconds(4)))
  }

  @Test func `merge has every element of both, each in its order`() async throws {
    let odd = stream([(.seconds(1), 1), (.seconds(2), 3)])
    let even = stream([(.seconds(1), 2), (.seconds(2), 4)])
    var seen: [Int] = []
    for await number in merge(odd, even) { seen.append(number) }
    #expect(seen.sorted() == [1, 2, 3, 4])
    #expect(seen.filter { !$0.isMultiple(of: 2) } == [1, 3])
    #expect(now == .start.advanced(by: .seconds(3)))
  }

  @Test func `a channel hands over one by one`() async throws {
    let channel = AsyncChannel<Int>()
    let sender = Task {
      for number in 0..<5 { await channel.send(number) }
      channel.finish()
    }
    var received: [Int] = []
    for await number in channel {
      received.append(number)
      try await Task.sleep(for: .seconds(1))
    }
    await sender.value
    #expect(received == [0, 1, 2, 3, 4])
    #expect(now == .start.advanced(by: .seconds(5)))
  }

  @Test func `a channel lets go of a sender that is cancelled`() async throws {
    let channel = AsyncChannel<Int>()
    let sender = Task { await channel.send(1) }
    try await Task.sleep(for: .seconds(1))
    sender.cancel()
    await sender.value
    #expect(now == .start.advanced(by: .seconds(1)))
  }
}
