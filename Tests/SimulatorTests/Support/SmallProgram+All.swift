import Simulator
import Synchronization
import TestEffort

extension SmallProgram {
  /// Every third of them, or all where there is time: for what is no claim of the reduction.
  static let some = all.enumerated().filter { $0.offset.isMultiple(of: tries(3, all: 1)) }.map(
    \.element)

  /// What the reduction must not miss, each in a few lines.
  static let all: [SmallProgram] = [
    SmallProgram("a lost update of two") { _ in
      let cell = Cell()
      async let a: Void = increment(cell)
      async let b: Void = increment(cell)
      _ = await (a, b)
      return "\(await cell.value)"
    },
    SmallProgram("two updates of two cells") { _ in
      let (x, y) = (Cell(), Cell())
      async let a: Void = increment(x)
      async let b: Void = increment(y)
      _ = await (a, b)
      return "\(await x.value) \(await y.value)"
    },
    SmallProgram("one writes two cells, one reads both") { _ in
      let (x, y) = (Cell(), Cell())
      async let writer: Void = {
        await x.set(1)
        await y.set(1)
      }()
      async let reader = (await y.value, await x.value)
      let (first, second) = await reader
      await writer
      return "\(first) \(second)"
    },
    SmallProgram("store buffering") { _ in
      let (x, y) = (Cell(), Cell())
      async let a = {
        await x.set(1)
        return await y.value
      }()
      async let b = {
        await y.set(1)
        return await x.value
      }()
      return "\(await a) \(await b)"
    },
    SmallProgram("three writers") { _ in
      let cell = Cell()
      async let a: Void = cell.set(1)
      async let b: Void = cell.set(2)
      async let c: Void = cell.set(3)
      _ = await (a, b, c)
      return "\(await cell.value)"
    },
    SmallProgram("a group's results in the order in which they come") { _ in
      await withTaskGroup(of: Int.self) { group in
        for number in 1...3 { group.addTask { number } }
        var text = ""
        for await number in group { text += "\(number)" }
        return text
      }
    },
    SmallProgram("the first of a group, the other cancelled", isExact: false) { _ in
      await withTaskGroup(of: String.self) { group in
        let cell = Cell()
        group.addTask {
          await cell.add(1)
          return Task.isCancelled ? "a cancelled" : "a"
        }
        group.addTask {
          await cell.add(1)
          return Task.isCancelled ? "b cancelled" : "b"
        }
        let first = await group.next() ?? ""
        group.cancelAll()
        return "\(first), \(await group.next() ?? "")"
      }
    },
    SmallProgram("a task awaited late") { _ in
      let cell = Cell()
      let task = Task { await cell.add(1) }
      let early = await cell.value
      await task.value
      return "\(early) \(await cell.value)"
    },
    SmallProgram("a task that others wait for, by its handle") { _ in
      let cell = Cell()
      let task = Task { await increment(cell) }
      async let other: Int = {
        await task.value
        return await cell.value
      }()
      let early = await cell.value
      return "\(early) \(await other)"
    },
    SmallProgram("a task cancelled from outside", isExact: false) { _ in
      let cell = Cell()
      let task = Task {
        await cell.add(1)
        if !Task.isCancelled { await cell.add(10) }
      }
      await cell.add(100)
      task.cancel()
      await task.value
      return "\(await cell.value)"
    },
    SmallProgram("a gate that opens once", isExact: false) { _ in
      let gate = OnceGate()
      let cell = Cell()
      async let waiter: Int = {
        await gate.wait()
        return await cell.value
      }()
      async let opener: Void = {
        await cell.add(1)
        await gate.open()
        await cell.add(1)
      }()
      await opener
      return "\(await waiter)"
    },
    SmallProgram("isolated starts keep their order", isExact: false) { _ in
      let log = Words()
      await log.start()
      async let other: Void = log.append("x")
      await other
      await log.settle()
      return await log.text
    },
    SmallProgram("isolated starts from two domains") { _ in
      let log = MainLog()
      let (a, b) = (Starter(log, "a"), Starter(log, "b"))
      async let first: Void = a.start()
      async let second: Void = b.start()
      _ = await (first, second)
      await a.settle()
      await b.settle()
      return await log.text
    },
    SmallProgram("timers due together") { _ in
      let log = Words()
      async let a: Void = {
        try? await Task.sleep(for: .milliseconds(5))
        await log.append("a")
      }()
      async let b: Void = {
        try? await Task.sleep(for: .milliseconds(5))
        await log.append("b")
      }()
      _ = await (a, b)
      return await log.text
    },
    SmallProgram("a delay out of a range that ends with another timer", isExact: false) { simulation in
      let log = Words()
      async let a: Void = {
        try? await Task.sleep(for: .milliseconds(5))
        await log.append("a")
      }()
      async let b: Void = {
        let delay = simulation.choose(in: .milliseconds(1)...(.milliseconds(9)))
        try? await Task.sleep(for: delay)
        await log.append("b\(delay)")
      }()
      _ = await (a, b)
      return await log.text
    },
    SmallProgram("a fault in the middle") { simulation in
      let cell = Cell()
      async let a: Void = increment(cell)
      async let b: Bool = {
        guard simulation.choose(.fault, among: [false, true]) else {
          await increment(cell)
          return true
        }
        return false
      }()
      let ok = await b
      await a
      return "\(ok) \(await cell.value)"
    },
    SmallProgram("two actions at any time", isExact: false) { simulation in
      let cell = Cell()
      simulation.anytime { Task { await cell.add(10) } }
      simulation.anytime { Task { await cell.set(5) } }
      await increment(cell)
      return "\(await cell.value)"
    },
    SmallProgram("an action before or after a timer", isExact: false) { simulation in
      let cell = Cell()
      simulation.anytime { Task { await cell.add(10) } }
      try? await Task.sleep(for: .milliseconds(5))
      return "\(await cell.value)"
    },
    SmallProgram("a chain of actors") { _ in
      let last = Relay(to: nil)
      let first = Relay(to: last)
      async let a = first.pass(1)
      async let b = last.pass(2)
      return "\(await a) \(await b)"
    },
    SmallProgram("work that closes its domain", isExact: false) { _ in
      let slow = SlowCell()
      async let a: Void = slow.work()
      async let b = slow.value
      let seen = await b
      await a
      return "\(seen)"
    },
    SmallProgram("three tasks, two cells, no two alike") { _ in
      let (x, y) = (Cell(), Cell())
      async let a: Void = x.set(1)
      async let b: Int = {
        let value = await x.value
        await y.add(value + 1)
        return value
      }()
      async let c = await y.value
      let (second, third) = await (b, c)
      await a
      return "\(second) \(third)"
    },
    SmallProgram("tasks that make tasks") { _ in
      let cell = Cell()
      async let a: Void = {
        async let inner: Void = cell.set(1)
        await cell.set(2)
        await inner
      }()
      async let b: Void = cell.set(3)
      _ = await (a, b)
      return "\(await cell.value)"
    },
    SmallProgram("a lost update between three") { _ in
      let cell = Cell()
      await withDiscardingTaskGroup { group in
        for _ in 0..<3 { group.addTask { await increment(cell) } }
      }
      return "\(await cell.value)"
    },
    SmallProgram("two tasks that each update twice") { _ in
      let cell = Cell()
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            await increment(cell)
            await increment(cell)
          }
        }
      }
      return "\(await cell.value)"
    },
    SmallProgram("updates of two cells in opposite order") { _ in
      let (x, y) = (Cell(), Cell())
      await withDiscardingTaskGroup { group in
        group.addTask {
          await increment(x)
          await increment(y)
        }
        group.addTask {
          await increment(y)
          await increment(x)
        }
      }
      return "\(await x.value) \(await y.value)"
    },
    SmallProgram("one writer, two readers") { _ in
      let cell = Cell()
      async let a: Void = cell.set(1)
      async let b = cell.value
      async let c = cell.value
      let (second, third) = await (b, c)
      await a
      return "\(second) \(third)"
    },
    SmallProgram("three cells in a ring") { _ in
      let (x, y, z) = (Cell(), Cell(), Cell())
      await withDiscardingTaskGroup { group in
        for (from, to) in [(x, y), (y, z), (z, x)] {
          group.addTask { await to.set(await from.value + 1) }
        }
      }
      return "\(await x.value) \(await y.value) \(await z.value)"
    },
    SmallProgram("updates before and after a sleep") { _ in
      let cell = Cell()
      await withDiscardingTaskGroup { group in
        for number in 1...2 {
          group.addTask {
            await increment(cell)
            try? await Task.sleep(for: .milliseconds(number))
            await increment(cell)
          }
        }
      }
      return "\(await cell.value)"
    },
    SmallProgram("yields between a read and a write") { _ in
      let cell = Cell()
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            let value = await cell.value
            await Task.yield()
            await cell.set(value + 1)
          }
        }
      }
      return "\(await cell.value)"
    },
    SmallProgram("a fault in one of two tasks, chosen late", isExact: false) { simulation in
      let cell = Cell()
      await withDiscardingTaskGroup { group in
        group.addTask {
          await cell.add(1)
          if simulation.choose(.fault, among: [false, true]) { await cell.add(10) }
        }
        group.addTask { await increment(cell) }
      }
      return "\(await cell.value)"
    },
    SmallProgram("the main actor and another", isExact: false) { _ in
      let counter = MainCounter()
      let cell = Cell()
      async let a: Void = {
        await counter.add(1)
        await cell.set(await counter.value)
      }()
      async let b: Void = {
        await counter.add(2)
        await cell.set(await counter.value)
      }()
      _ = await (a, b)
      return "\(await cell.value)"
    },
    SmallProgram("one task cancelled by two", isExact: false) { _ in
      let cell = Cell()
      let task = Task {
        await cell.add(1)
        return Task.isCancelled
      }
      // Whoever comes second cancels what has been cancelled.
      async let a: Int = {
        task.cancel()
        return await cell.value
      }()
      async let b: Int = {
        task.cancel()
        return await cell.value
      }()
      let (first, second) = await (a, b)
      return "\(await task.value) \(first) \(second)"
    },
    SmallProgram("a task cancelled when it may have ended", isExact: false) { _ in
      let task = Task { Task.isCancelled }
      task.cancel()
      async let other: Void = { task.cancel() }()
      let later = Task { Task.isCancelled }
      async let last: Void = { later.cancel() }()
      _ = await (other, last)
      return "\(await task.value) \(await later.value)"
    },
    SmallProgram("a handle asked whether its task is cancelled", isExact: false) { _ in
      let task = Task {}
      await task.value
      async let asked = task.isCancelled
      async let cancelled: Void = { task.cancel() }()
      // Both have ended by then.
      try? await Task.sleep(for: .milliseconds(1))
      _ = await cancelled
      return "\(await asked)"
    },
    SmallProgram("a child of who is cancelled when it may have ended", isExact: false) { _ in
      let task = Task {
        let wasCancelled = Task.isCancelled
        async let child = Task.isCancelled
        return "\(wasCancelled) \(await child)"
      }
      async let cancelled: Void = {
        for _ in 0..<2 { await Task.yield() }
        task.cancel()
      }()
      _ = await cancelled
      return await task.value
    },
    SmallProgram("a discarding group asked whether all have finished", isExact: false) { _ in
      await withDiscardingTaskGroup { group in
        group.addTask {}
        await Task.yield()
        return "\(group.isEmpty)"
      }
    },
    SmallProgram("a group in order behind a discarding one", isExact: false) { _ in
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 { group.addTask {} }
      }
      return await withTaskGroup(of: Int.self) { group in
        for number in 1...2 { group.addTask { number } }
        var text = ""
        for await number in group { text += "\(number)" }
        return text
      }
    },
    SmallProgram("who throws first in a discarding group", isExact: false) { _ in
      do {
        try await withThrowingDiscardingTaskGroup { group in
          for number in 1...2 { group.addTask { throw Thrown(number: number) } }
        }
        return "none"
      } catch {
        return "\((error as? Thrown)?.number ?? 0)"
      }
    },
    SmallProgram("the other in a group of which one throws", isExact: false) { _ in
      let cell = Cell()
      try? await withThrowingDiscardingTaskGroup { group in
        group.addTask {
          await cell.add(1)
          if Task.isCancelled { await cell.add(10) }
        }
        group.addTask {
          await Task.yield()
          await Task.yield()
          throw Thrown(number: 1)
        }
      }
      return "\(await cell.value)"
    },
    SmallProgram("a child of a group whose body throws", isExact: false) { _ in
      let looks = Looks()
      try? await withThrowingTaskGroup { group in
        group.addTask { await looks.take() }
        try await fail()
      }
      return looks.text
    },
    SmallProgram("a child of a child of a group whose body throws", isExact: false) { _ in
      let looks = Looks()
      try? await withThrowingTaskGroup { group in
        group.addTask {
          async let child: Void = looks.take()
          await child
        }
        try await fail()
      }
      return looks.text
    },
    SmallProgram("a child of a discarding group whose body throws", isExact: false) { _ in
      let looks = Looks()
      try? await withThrowingDiscardingTaskGroup { group in
        group.addTask { await looks.take() }
        try await fail()
      }
      return looks.text
    },
    SmallProgram("a child of a group that cancels itself, and then the group does", isExact: false) { _ in
      let looks = Looks()
      await withTaskGroup { group in
        group.addTask {
          looks.takeOne()
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
          for _ in 0..<2 { await Task.yield() }
        }
        await Task.yield()
        group.cancelAll()
      }
      return looks.text
    },
    SmallProgram("a child of a child that cancels itself, and then the group does", isExact: false) { _ in
      let looks = Looks()
      try? await withThrowingTaskGroup { group in
        group.addTask {
          looks.takeOne()
          async let child: Void = {
            looks.takeOne()
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
          }()
          await child
          for _ in 0..<2 { await Task.yield() }
        }
        try await fail()
      }
      return looks.text
    },
    SmallProgram("a task that cancels itself and so its child", isExact: false) { _ in
      let looks = Looks()
      async let child: Void = looks.take()
      for _ in 0..<2 { await Task.yield() }
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      await child
      return looks.text
    },
    SmallProgram("a discarding group cancelled behind another within it", isExact: false) { _ in
      let looks = Looks()
      await withDiscardingTaskGroup { outer in
        outer.addTask { await looks.take() }
        await withDiscardingTaskGroup { inner in
          inner.addTask { await Task.yield() }
        }
        outer.cancelAll()
      }
      return looks.text
    },
    SmallProgram("a discarding group whose other child throws", isExact: false) { _ in
      let looks = Looks()
      try? await withThrowingDiscardingTaskGroup { group in
        group.addTask { await looks.take() }
        group.addTask { try await fail() }
      }
      return looks.text
    },
    SmallProgram("a discarding group cancelled behind a longer one within it", isExact: false) { _ in
      let looks = Looks()
      await withDiscardingTaskGroup { outer in
        outer.addTask { looks.takeOne() }
        await withDiscardingTaskGroup { inner in
          for _ in 0..<2 { inner.addTask { await Task.yield() } }
        }
        outer.cancelAll()
      }
      return looks.text
    },
    SmallProgram("two that draw by lot", isExact: false) { _ in
      async let a = Int.random(in: 0..<1_000_000)
      async let b = Int.random(in: 0..<1_000_000)
      return "\(await a) \(await b)"
    },
    SmallProgram("two that each start one on the main actor", isExact: false) { _ in
      let words = MainWords()
      let tasks = await withTaskGroup { group in
        for word in ["a", "b"] { group.addTask { words.start(word) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      for task in tasks { await task.value }
      return await words.text
    },
    SmallProgram("two priorities, each out of an actor of its own, before another", isExact: false) { _ in
      let words = Words()
      let tasks = [TaskPriority.high, .low].map { priority in
        Task(priority: priority) { await Sender().send("\(priority.rawValue) ", to: words) }
      }
      async let occupant: Void = words.append("- ")
      // Whoever waits for a task raises its priority.
      try? await Task.sleep(for: .seconds(1))
      for task in tasks { await task.value }
      await occupant
      return await words.text
    },
    SmallProgram("updates of one cell at two times") { _ in
      let cell = Cell()
      async let a: Void = {
        try? await Task.sleep(for: .milliseconds(1))
        await cell.add(1)
      }()
      async let b: Void = {
        try? await Task.sleep(for: .milliseconds(2))
        await cell.set(5)
      }()
      _ = await (a, b)
      return "\(await cell.value)"
    },
    SmallProgram("a call that is counted by another task", isExact: false) { _ in
      let store = FakeStore(named: "store")
      async let count = store.calls.count
      async let read = try? store.read("key", as: Int.self)
      _ = await (count, read)
      return "\(await count)"
    },
    SmallProgram("two sleeps within ranges, and who is first", isExact: false) { _ in
      let log = Words()
      async let a: Void = {
        try? await Simulation.sleep(in: .milliseconds(1)...(.milliseconds(5)))
        await log.append("a")
      }()
      async let b: Void = {
        try? await Simulation.sleep(in: .milliseconds(2)...(.milliseconds(3)))
        await log.append("b")
      }()
      _ = await (a, b)
      return await log.text
    },
    SmallProgram("a sleep within a range beside several others", isExact: false) { _ in
      let log = Words()
      async let a: Void = {
        try? await Simulation.sleep(in: .zero...(.milliseconds(9)))
        await log.append("a")
        try? await Task.sleep(for: .milliseconds(1))
        await log.append("A")
      }()
      async let b: Void = {
        for number in 1...2 {
          try? await Task.sleep(for: .milliseconds(2))
          await log.append("\(number)")
        }
      }()
      _ = await (a, b)
      return await log.text
    },
    SmallProgram("how long a sleep within a range was, beside another", isExact: false) { simulation in
      async let a: String = {
        try? await Simulation.sleep(in: .milliseconds(1)...(.milliseconds(4)))
        return "\(simulation.now)"
      }()
      async let b: Void? = try? Task.sleep(for: .milliseconds(2))
      return await "\((a, b).0)"
    },
    SmallProgram("a sleep within a range that is cancelled", isExact: false) { _ in
      let sleeper = Task {
        do {
          try await Simulation.sleep(in: .milliseconds(1)...(.milliseconds(5)))
          return "slept"
        } catch { return "cancelled" }
      }
      try? await Simulation.sleep(in: .milliseconds(1)...(.milliseconds(3)))
      sleeper.cancel()
      return await sleeper.value
    },
    SmallProgram("a delay chosen beside a sleep", isExact: false) { simulation in
      async let chosen = simulation.choose(in: .milliseconds(1)...(.milliseconds(3)))
      async let sleep: Void? = try? Task.sleep(for: .milliseconds(2))
      _ = await (chosen, sleep)
      return "\(await chosen)"
    },
    SmallProgram("a delay chosen beside work that keeps an actor", isExact: false) { simulation in
      let cell = SlowCell()
      async let chosen = simulation.choose(in: .milliseconds(1)...(.milliseconds(5)))
      async let work: Void = cell.work()
      _ = await (chosen, work)
      return "\(await chosen)"
    },
    SmallProgram("a delay chosen beside a sleep that is cancelled", isExact: false) { simulation in
      let board = Board()
      let sleeper = Task {
        await withTaskCancellationHandler {
          try? await Task.sleep(for: .milliseconds(2))
        } onCancel: {
          board.note("cancelled ")
        }
      }
      async let cancel: Void = { sleeper.cancel() }()
      async let chosen = simulation.choose(in: .milliseconds(1)...(.milliseconds(3)))
      _ = await (cancel, chosen, sleeper.value)
      return board.text + "\(await chosen)"
    },
    SmallProgram("a child that is never awaited", isExact: false) { _ in
      let looks = Looks()
      await leave(looks)
      return looks.text
    },
    SmallProgram("a stream of two producers", isExact: false) { _ in
      let (stream, source) = AsyncStream.makeStream(of: Int.self)
      async let a: Void = { _ = source.yield(1) }()
      async let b: Void = { _ = source.yield(2) }()
      _ = await (a, b)
      source.finish()
      return await text(of: stream)
    },
    SmallProgram("a stream that keeps the newest, read meanwhile", isExact: false) { _ in
      let (stream, source) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
      async let producer: Void = {
        source.yield(1)
        source.yield(2)
        source.finish()
      }()
      async let consumer = text(of: stream)
      await producer
      return await consumer
    },
    SmallProgram("a stream read through another sequence", isExact: false) { _ in
      let (stream, source) = AsyncThrowingStream.makeStream(of: Int.self)
      async let a: Void = { _ = source.yield(1) }()
      async let b: Void = { source.finish(throwing: Thrown(number: 2)) }()
      var text = ""
      do {
        for try await number in stream.map({ $0 + 1 }) { text += "\(number)" }
      } catch {
        text += "!"
      }
      _ = await (a, b)
      return text
    },
    SmallProgram("two streams, each with a producer of its own", isExact: false) { _ in
      let (first, a) = AsyncStream.makeStream(of: Int.self)
      let second = AsyncStream<Int> { source in
        source.yield(0)
        source.finish()
      }
      async let one: Void = {
        a.yield(1)
        a.finish()
      }()
      async let two = text(of: second)
      async let three = text(of: first)
      let (x, y) = await (two, three)
      await one
      return x + y
    },
    SmallProgram("a stream pulled by two", isExact: false) { _ in
      let number = Mutex(0)
      let stream = AsyncStream<Int> {
        number.withLock {
          $0 += 1; return $0
        }
      }
      async let a = next(of: stream)
      async let b = next(of: stream)
      return "\(await a) \(await b)"
    },
    SmallProgram("a mutex that says when it is used", isExact: false) { _ in
      let board = Board()
      async let a: Void = { board.note("a") }()
      async let b: Void = { board.note("b") }()
      _ = await (a, b)
      return board.text
    },
  ]
}

private struct Thrown: Error {
  let number: Int
}

/// What one task saw of its cancellation, looking twice. Nobody reads it before that task has ended.
private final class Looks: Sendable {
  private let found = Mutex("")

  var text: String { found.withLock { $0 } }

  @concurrent func take() async {
    for _ in 0..<2 {
      await Task.yield()
      takeOne()
    }
  }

  func takeOne() { found.withLock { $0 += Task.isCancelled ? "cancelled " : "free " } }
}

/// Throws, two steps from here.
@concurrent private func fail() async throws {
  for _ in 0..<2 { await Task.yield() }
  throw Thrown(number: 1)
}

/// Begins to look and goes, without waiting.
@concurrent private func leave(_ looks: Looks) async {
  async let _: Void = looks.take()
  await Task.yield()
}

private func text(of stream: AsyncStream<Int>) async -> String {
  var text = ""
  for await number in stream { text += "\(number)" }
  return text
}

private func next(of stream: AsyncStream<Int>) async -> Int {
  var iterator = stream.makeAsyncIterator()
  return await iterator.next() ?? 0
}

private actor OnceGate {
  private var isOpen = false
  private var waiting: CheckedContinuation<Void, Never>?

  func wait() async {
    guard !isOpen else { return }
    await withCheckedContinuation { waiting = $0 }
  }

  func open() {
    isOpen = true
    waiting?.resume()
    waiting = nil
  }
}

private actor Sender {
  func send(_ word: String, to words: Words) async { await words.append(word) }
}

private actor Words {
  private(set) var text = ""
  private var tasks: [Task<Void, Never>] = []

  func append(_ word: String) { text += word }

  func start() {
    tasks = [Task { self.text += "1" }, Task { self.text += "2" }]
  }

  func settle() async {
    for task in tasks { await task.value }
  }
}

@MainActor private final class MainLog {
  var text = ""
  nonisolated init() {}
}

private actor Starter {
  private let log: MainLog
  private let name: String
  private var task: Task<Void, Never>?

  init(_ log: MainLog, _ name: String) {
    self.log = log
    self.name = name
  }

  func start() {
    task = Task { @MainActor [log, name] in log.text += name }
  }

  func settle() async { await task?.value }
}

@MainActor private final class MainWords {
  private(set) var text = ""

  nonisolated init() {}

  nonisolated func start(_ word: String) -> Task<Void, Never> { Task { @MainActor in text += word } }
}

@MainActor private final class MainCounter {
  nonisolated init() {}
  private(set) var value = 0
  func add(_ amount: Int) { value += amount }
}

private actor Relay {
  private let next: Relay?
  private var sum = 0

  init(to next: Relay?) { self.next = next }

  func pass(_ number: Int) async -> Int {
    let before = sum
    let further = await next?.pass(number) ?? 0
    sum = before + number
    return sum + 10 * further
  }
}

private actor SlowCell {
  private(set) var value = 0

  func work() async {
    value = 1
    await Simulation.spend(.milliseconds(3))
    value = 2
  }
}
