import Synchronization

extension Control {
  /// A producer, a stage that doubles, and a sink, joined by streams.
  static let pipeline = Control("pipeline of streams") { _ in
    let (numbers, toNumbers) = AsyncStream.makeStream(of: Int.self)
    let doubled = AsyncStream<Int> { output in
      let stage = Task {
        for await number in numbers { output.yield(number * 2) }
        output.finish()
      }
      output.onTermination = { _ in stage.cancel() }
    }
    let sink = Task { await doubled.reduce(into: []) { $0.append($1) } }
    for number in 1...4 {
      toNumbers.yield(number)
      if number == 2 { await Task.yield() }
    }
    toNumbers.finish()
    let seen = await sink.value
    try check(seen == [2, 4, 6, 8], "the sink saw \(seen)")
  }

  /// Subscribers of a hub see what is published after they have subscribed, in order, until they leave.
  static let hub = Control("hub with subscribers") { _ in
    let hub = Hub()
    let early = await hub.subscribe()
    let publisher = Task {
      for event in 1...4 { await hub.publish(event) }
      await hub.close()
    }
    let late = Task { () -> [Int] in
      var seen: [Int] = []
      for await event in await hub.subscribe() {
        seen.append(event)
        if seen.count == 2 { break }
      }
      return seen
    }
    let all = await early.reduce(into: []) { $0.append($1) }
    await publisher.value
    let some = await late.value
    try check(all == [1, 2, 3, 4], "the first subscriber saw \(all)")
    try check(
      some.count <= 2 && zip(some, some.dropFirst()).allSatisfy { $0 + 1 == $1 }, "the late one saw \(some)")
    try check(await hub.isEmpty, "a subscriber is left")
  }

  /// An actor that takes one command at a time off a stream and answers each through its continuation.
  static let eventLoop = Control("event loop with replies") { _ in
    let loop = EventLoop()
    let running = Task { await loop.run() }
    let totals = await withTaskGroup(of: Int.self) { group in
      for amount in [1, 10, 100] { group.addTask { await loop.send(amount) ?? -1 } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    loop.stop()
    await running.value
    try check(totals.max() == 111 && Set(totals).count == 3, "totals \(totals)")
    try check(await loop.send(5) == nil, "a stopped loop answers")
  }
}

private actor Hub {
  private var subscribers: [Int: AsyncStream<Int>.Continuation] = [:]
  private var next = 0
  private var isClosed = false

  var isEmpty: Bool { subscribers.isEmpty }

  func subscribe() -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    guard !isClosed else {
      continuation.finish()
      return stream
    }
    let id = next
    next += 1
    subscribers[id] = continuation
    return stream
  }

  func publish(_ event: Int) {
    for (id, subscriber) in subscribers {
      if case .terminated = subscriber.yield(event) { subscribers[id] = nil }
    }
  }

  func close() {
    isClosed = true
    for subscriber in subscribers.values { subscriber.finish() }
    subscribers = [:]
  }
}

private actor EventLoop {
  private typealias Command = (amount: Int, reply: CheckedContinuation<Int?, Never>)

  private let commands: AsyncStream<Command>
  private let inbox: AsyncStream<Command>.Continuation
  private var total = 0

  init() { (commands, inbox) = AsyncStream.makeStream(of: Command.self) }

  func run() async {
    for await command in commands {
      total += command.amount
      await Task.yield()
      command.reply.resume(returning: total)
    }
  }

  nonisolated func send(_ amount: Int) async -> Int? {
    await withCheckedContinuation { reply in
      if case .terminated = inbox.yield((amount, reply)) { reply.resume(returning: nil) }
    }
  }

  nonisolated func stop() { inbox.finish() }
}
