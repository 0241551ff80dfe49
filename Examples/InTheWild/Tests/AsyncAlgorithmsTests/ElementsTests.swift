import AsyncAlgorithms
import SimulatorTesting
import Testing

/// What arrives, in every order in which tasks may run and overlap.
@Suite(.simulated(schedules: schedules, options: .overlapping))
struct `swift-async-algorithms hands on` {
  @Test func `each element of what it merges, in the order of its source`() async {
    let odd = stream((.seconds(1), 1), (.seconds(1), 3), (.zero, 5))
    let even = stream((.seconds(1), 2), (.seconds(1), 4))
    var seen: [Int] = []
    for await number in merge(odd, even) { seen.append(number) }
    #expect(seen.filter { !$0.isMultiple(of: 2) } == [1, 3, 5])
    #expect(seen.filter { $0.isMultiple(of: 2) } == [2, 4])
  }

  @Test func `pairs of what it zips, in order`() async {
    let numbers = stream((.zero, 1), (.seconds(1), 2), (.seconds(1), 3))
    let words = stream((.seconds(1), "one"), (.seconds(1), "two"))
    var seen: [String] = []
    for await (number, word) in zip(numbers, words) { seen.append("\(number) \(word)") }
    #expect(seen == ["1 one", "2 two"])
  }

  @Test func `the latest of what it combines`() async {
    let numbers = stream((.zero, 1), (.seconds(1), 2))
    let words = stream((.zero, "a"), (.seconds(1), "b"))
    var seen: [String] = []
    for await (number, word) in combineLatest(numbers, words) { seen.append("\(number)\(word)") }
    #expect(seen.first == "1a")
    #expect(seen.last == "2b")
    #expect(seen == ["1a", "2a", "2b"] || seen == ["1a", "1b", "2b"])
  }

  @Test(arguments: [AsyncBufferSequencePolicy.bounded(1), .bounded(2), .unbounded])
  func `each element of what it buffers`(_ policy: AsyncBufferSequencePolicy) async throws {
    var seen: [Int] = []
    for await number in stream((.zero, 1), (.zero, 2), (.seconds(1), 3), (.seconds(1), 4)).buffer(
      policy: policy)
    {
      seen.append(number)
      try await Task.sleep(for: .seconds(1))
    }
    #expect(seen == [1, 2, 3, 4])
  }

  @Test(arguments: [AsyncBufferSequencePolicy.bufferingOldest(1), .bufferingLatest(1)])
  func `some elements of what it buffers, in order`(_ policy: AsyncBufferSequencePolicy) async throws {
    var seen: [Int] = []
    for await number in stream((.zero, 1), (.zero, 2), (.zero, 3), (.seconds(2), 4)).buffer(policy: policy) {
      seen.append(number)
      try await Task.sleep(for: .seconds(1))
    }
    #expect(seen.last == 4)
    #expect(seen == seen.sorted())
    #expect(Set(seen).count == seen.count)
  }

  @Test func `all that is sent through a channel, by two senders to two receivers`() async {
    let channel = AsyncChannel<Int>()
    async let first = all(channel)
    async let second = all(channel)
    await withTaskGroup { group in
      for start in [0, 10] {
        group.addTask { for number in start..<start + 3 { await channel.send(number) } }
      }
    }
    channel.finish()
    let seen = await first + second
    #expect(seen.sorted() == [0, 1, 2, 10, 11, 12])
  }

  @Test func `what ends a throwing channel`() async {
    struct Ended: Error {}
    let channel = AsyncThrowingChannel<Int, any Error>()
    async let sending: Void = channel.send(1)
    async let ending: Void = channel.fail(Ended())
    var seen: [Int] = []
    await #expect(throws: Ended.self) { for try await number in channel { seen.append(number) } }
    _ = await (sending, ending)
    #expect(seen == [] || seen == [1])
  }

  @Test func `chunks that have every element, by time or by number`() async {
    let ticks = stream((.seconds(1), 1), (.zero, 2), (.zero, 3), (.seconds(3), 4))
    var seen: [Int] = []
    for await chunk in ticks.chunks(ofCount: 2, or: .repeating(every: .seconds(2))) {
      #expect((1...2).contains(chunk.count))
      seen += chunk
    }
    #expect(seen == [1, 2, 3, 4])
  }

  @Test func `one element in each interval that it throttles`() async throws {
    var seen: [Int] = []
    for try await tick in stream((.zero, 1), (.milliseconds(400), 2), (.milliseconds(800), 3))._throttle(
      for: .seconds(1))
    {
      seen.append(tick)
    }
    #expect(seen.first == 1)
    #expect(seen == seen.sorted())
  }

  @Test func `the last element before each pause that it debounces`() async throws {
    let keys = stream((.zero, "s"), (.milliseconds(100), "sw"), (.seconds(1), "swift"))
    var seen: [String] = []
    for await query in keys.debounce(for: .milliseconds(300)) { seen.append(query) }
    #expect(seen == ["sw", "swift"])
  }

  private func all(_ channel: AsyncChannel<Int>) async -> [Int] {
    var seen: [Int] = []
    for await number in channel { seen.append(number) }
    return seen
  }
}
