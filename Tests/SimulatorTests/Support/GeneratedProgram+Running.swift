import Simulator
import SimulatorStrategies
import Synchronization

extension GeneratedProgram {
  /// Runs it under `strategy` and answers with what it came to, each outcome once: what each task saw, what is left in
  /// the end, and that it never ends where it does not.
  func outcomes(_ strategy: any SchedulingStrategy, schedules: Int) -> (
    outcomes: Set<String>, report: Explorer.Report
  ) {
    let found = Mutex<Set<String>>([])
    var options = Simulation.Options(steps: .atomic)
    options.foreignThreadTimeout = .zero
    var explorer = Explorer(name: description, options: options.checked) { simulation in
      let outcome = await Run(simulation).outcome(of: self)
      // The root of an execution that has come to no end is cancelled and run out, which is no part of it.
      if !Task.isCancelled { found.withLock { _ = $0.insert(outcome) } }
    }
    explorer.budget.schedules = schedules
    explorer.budget.violationsToFind = nil
    explorer.budget.shrinkingExecutions = 0
    explorer.strategy = strategy
    let report = explorer.explore()
    let violated = report.violations.map { "\($0.invariant)" }
    return (found.withLock { $0.union(violated) }, report)
  }
}

/// What the tasks of one execution share.
private final class Run: Sendable {
  private let simulation: Simulation
  private let cells: [SharedCell]
  private let counter = SharedCounter()
  private let gate = SharedGate()
  private let board = Board()
  private let stores = [
    FakeStore(writeDelay: .milliseconds(1)), FakeStore(named: "other store"),
  ]
  private let streams: [Stream]
  private let pulled: AsyncStream<Int>
  /// Filled before any of them begins.
  private let handles = Mutex<[Task<String, Never>]>([])

  private struct Stream: Sendable {
    let stream: AsyncStream<Int>
    let continuation: AsyncStream<Int>.Continuation
  }

  init(_ simulation: Simulation) {
    self.simulation = simulation
    let second = SharedCell()
    cells = [SharedCell(next: second), second]
    let policies: [AsyncStream<Int>.Continuation.BufferingPolicy] = [.unbounded, .bufferingNewest(1)]
    streams = policies.map { policy in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: policy)
      return Stream(stream: stream, continuation: continuation)
    }
    pulled = AsyncStream { await second.value }
  }

  func outcome(of program: GeneratedProgram) async -> String {
    let hasPriorities = program.surroundings.contains(.priorities)
    handles.withLock { handles in
      handles = program.tasks.enumerated().map { index, operations in
        let priority: TaskPriority? = !hasPriorities ? nil : index == 0 ? .high : .low
        return Task(priority: priority) { await self.run(operations) }
      }
    }
    program.surroundings.forEach(surround)
    // Whoever waits for a task raises its priority.
    if hasPriorities { try? await Task.sleep(for: .seconds(1)) }
    var words: [String] = []
    for task in program.tasks.indices { words.append(await handle(task).value) }
    for cell in cells { words.append(await cell.text) }
    words.append(await counter.text)
    words.append(board.text)
    return words.joined(separator: " | ")
  }

  private func surround(_ surrounding: GeneratedProgram.Surrounding) {
    let tasks = handles.withLock { $0 }
    let (first, second) = (cells[0], cells[1])
    switch surrounding {
    case .cancelledAnywhere: simulation.cancelAnywhere(tasks[0])
    case .cancelledAtAnyTime: simulation.anytime { tasks[tasks.count - 1].cancel() }
    case .writtenAtAnyTime: simulation.anytime { Task { await first.set(7) } }
    case .compared:
      simulation.always("the first is never behind") {
        first.assumeIsolated { $0.value } >= second.assumeIsolated { $0.value }
      }
    case .observed:
      simulation.observe("first") { .int(first.assumeIsolated { $0.value }) }
      simulation.require(Invariant("never back", "never back") { NeverBack() })
    case .priorities: break
    }
  }

  private func handle(_ task: Int) -> Task<String, Never> { handles.withLock { $0[task] } }

  @concurrent private func run(_ operations: [GeneratedProgram.Operation]) async -> String {
    var log = ""
    for operation in operations { log += await run(operation) }
    return log
  }

  private func run(_ operation: GeneratedProgram.Operation) async -> String {
    switch operation {
    case .read(let cell): return "r\(await cells[cell].value)"
    case .set(let cell, let value): await cells[cell].set(value)
    case .increment(let cell):
      let value = await cells[cell].value
      await cells[cell].set(value + 1)
    case .relay(let cell): return "p\(await cells[cell].relay())"
    case .countOnMain: return "m\(await counter.count())"
    case .yield: await Task.yield()
    case .sleep(let milliseconds):
      do { try await Task.sleep(for: .milliseconds(milliseconds)) } catch { return "!" }
    case .spend(let cell): await cells[cell].work()
    case .cancel(let task): handle(task).cancel()
    case .value(let task): return "(\(await handle(task).value))"
    case .valueOnCell(let cell, let task): return "(\(await cells[cell].join(handle(task))))"
    case .checkedValue(let task):
      let before = Task.isCancelled
      let value = await handle(task).value
      let after = Task.isCancelled
      return "(\(before ? "c" : "-")\(value)\(after ? "c" : "-")\(await handle(task).value.count))"
    case .startSeveral(let bodies, let looks): return await startSeveral(bodies, looks: looks)
    case .isCancelled: return Task.isCancelled ? "c" : "-"
    case .isOtherCancelled(let task): return handle(task).isCancelled ? "C" : "_"
    case .noteCancellation: return await noteCancellation()
    case .cancelItself: unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
    case .send(let stream, let value): return sent(streams[stream].continuation.yield(value))
    case .finish(let stream): streams[stream].continuation.finish()
    case .next(let stream):
      var iterator = streams[stream].stream.makeAsyncIterator()
      return await iterator.next().map { "n\($0)" } ?? "n-"
    case .note: board.note("x")
    case .look: return "b\(board.text.count)"
    case .open: await gate.open()
    case .wait: return await gate.wait() ? "w" : "W"
    case .choose: return simulation.choose(among: ["A", "B"])
    case .sleepWithin(let low, let high, let isTimed): return await sleep(low, high, isTimed: isTimed)
    case .pull:
      var iterator = pulled.makeAsyncIterator()
      return await iterator.next().map { "u\($0)" } ?? "u-"
    case .call(let store): return await call(stores[store])
    case .isolatedStart(let word): await cells[0].start(word)
    case .startOnMain(let word): counter.start(word)
    case .group(let kind, let children): return await run(kind, children)
    case .child(let body, let isAwaited):
      async let child = run(body)
      if isAwaited { return "{\(await child)}" }
      await Task.yield()
    case .start(let body, let isAwaited):
      let task = Task { await self.run(body) }
      if isAwaited { return "{\(await task.value)}" }
    case .immediate(let body, let isAwaited):
      let task = Task.immediate { await self.run(body) }
      if isAwaited { return "{\(await task.value)}" }
    }
    return ""
  }

  private func startSeveral(_ bodies: [[GeneratedProgram.Operation]], looks: Bool) async -> String {
    let tasks = bodies.map { body in Task { await self.run(body) } }
    var text = "{"
    for task in tasks {
      text += await task.value
      if looks { text += "b\(board.text.count)" }
    }
    return text + "}"
  }

  private func sleep(_ low: Int, _ high: Int, isTimed: Bool) async -> String {
    let start = isTimed ? simulation.now : .start
    do {
      try await Simulation.sleep(in: .milliseconds(low)...(.milliseconds(high)))
    } catch { return "!" }
    return isTimed ? "z\(start.duration(to: simulation.now))" : ""
  }

  private func sent(_ result: AsyncStream<Int>.Continuation.YieldResult) -> String {
    switch result {
    case .enqueued: "e"
    case .dropped: "d"
    default: "t"
    }
  }

  private func noteCancellation() async -> String {
    await withTaskCancellationHandler {
      try? await Task.sleep(for: .milliseconds(2))
      return "h"
    } onCancel: {
      board.note("c")
    }
  }

  private func call(_ store: FakeStore) async -> String {
    do {
      let held = try await store.read("key", as: Int.self) ?? 0
      try await store.write([.set("key", held + 1)])
      return "s\(held)"
    } catch {
      return "s!"
    }
  }

  private struct Thrown: Error {
    var text = ""
  }

  private func run(_ kind: GeneratedProgram.Group, _ children: [[GeneratedProgram.Operation]]) async -> String
  {
    switch kind {
    case .all, .first:
      await withTaskGroup(of: String.self) { group in
        for child in children { group.addTask { await self.run(child) } }
        var text = "<"
        if kind == .first {
          text += await group.next() ?? ""
          group.cancelAll()
        }
        for await part in group { text += part + ";" }
        return text + ">"
      }
    case .bodyCancels:
      await withTaskGroup(of: String.self) { group in
        for child in children.dropLast() { group.addTask { await self.run(child) } }
        var text = "<" + (await run(children.last ?? []))
        group.cancelAll()
        for await part in group { text += part + ";" }
        return text + ">"
      }
    case .unlessCancelled:
      await withTaskGroup(of: String.self) { group in
        var text = "<" + (await run(children.last ?? []))
        for child in children.dropLast() {
          text += group.addTaskUnlessCancelled { await self.run(child) } ? "+" : "-"
        }
        for await part in group { text += part + ";" }
        return text + (group.isCancelled ? "c>" : ">")
      }
    case .waitsForAll, .endsWithAll, .asksForAny, .waitsForTheOthers, .nested:
      await withTaskGroup(of: String.self) { group in await waitForAll(kind, &group, children) }
    case .throwingEndsWithAll, .throwingWaitsForAll:
      await text(
        of: {
          try await withThrowingTaskGroup(of: String.self) { group in
            for (index, child) in children.enumerated() {
              group.addTask {
                let text = await self.run(child)
                if index == 0 { throw Thrown(text: text) }
                self.board.note(text)
                return text
              }
            }
            if kind == .throwingWaitsForAll { try await group.waitForAll() }
            return ""
          }
        })
    case .throwing:
      await text(
        of: {
          try await withThrowingTaskGroup(of: String.self) { group in
            for (index, child) in children.enumerated() {
              group.addTask {
                let text = await self.run(child)
                if index == 0 { throw Thrown() }
                return text
              }
            }
            var text = ""
            for try await part in group { text += part + ";" }
            return text
          }
        })
    case .bodyThrows:
      await text(
        of: {
          try await withThrowingTaskGroup(of: Void.self) { group in
            for child in children.dropLast() { group.addTask { self.board.note(await self.run(child)) } }
            throw Thrown(text: await run(children.last ?? []))
          }
        })
    case .discardingBodyThrows:
      await text(
        of: {
          try await withThrowingDiscardingTaskGroup { group in
            for child in children.dropLast() { group.addTask { self.board.note(await self.run(child)) } }
            throw Thrown(text: await run(children.last ?? []))
          }
        })
    case .discardingBodyCancels:
      await withDiscardingTaskGroup { group in
        for child in children.dropLast() { group.addTask { self.board.note(await self.run(child)) } }
        let text = await run(children.last ?? [])
        group.cancelAll()
        return text
      }
    case .discarding:
      await withDiscardingTaskGroup { group in
        for child in children { group.addTask { self.board.note(await self.run(child)) } }
        return ""
      }
    case .discardingThrowing:
      await text(
        of: {
          try await withThrowingDiscardingTaskGroup { group in
            for (index, child) in children.enumerated() {
              group.addTask {
                self.board.note(await self.run(child))
                if index == 0 { throw Thrown() }
              }
            }
            return ""
          }
        })
    }
  }

  private func waitForAll(
    _ kind: GeneratedProgram.Group, _ group: inout TaskGroup<String>,
    _ children: [[GeneratedProgram.Operation]]
  ) async -> String {
    var text = "<"
    for child in children {
      group.addTask {
        let text = await self.run(child)
        self.board.note(text)
        return text
      }
    }
    switch kind {
    case .endsWithAll: return text + ">"
    case .asksForAny:
      await Task.yield()
      text += group.isEmpty ? "-" : "+"
    case .waitsForTheOthers: text += await group.next() ?? ""
    case .nested:
      await withTaskGroup(of: Void.self) { inner in
        for child in children { inner.addTask { self.board.note(await self.run(child)) } }
        await inner.waitForAll()
      }
      text += await group.next() ?? ""
    default: break
    }
    await group.waitForAll()
    return text + (group.isEmpty ? "-b\(board.text.count)>" : ">")
  }

  private func text(of body: () async throws -> String) async -> String {
    do { return "<\(try await body())>" } catch { return "<!\((error as? Thrown)?.text ?? "")>" }
  }
}

private actor SharedCell {
  private let next: SharedCell?
  private(set) var value = 0
  private var started = ""

  init(next: SharedCell? = nil) { self.next = next }

  var text: String { "\(value)\(started)" }

  func set(_ value: Int) { self.value = value }

  func relay() async -> Int {
    let before = value
    let further = await next?.value ?? 0
    value = before + 1
    return before * 10 + further
  }

  func work() async {
    value += 1
    await Simulation.spend(.milliseconds(1))
    value += 1
  }

  func join(_ task: Task<String, Never>) async -> String {
    let before = value
    value += 1
    let text = await task.value
    value += 10
    return "\(before)\(text)\(value)"
  }

  func start(_ word: Int) { Task { self.started += "s\(word)" } }
}

@MainActor private final class SharedCounter {
  private var value = 0
  private var started = ""

  nonisolated init() {}

  var text: String { "\(value)\(started)" }

  func count() -> Int {
    value += 1
    return value
  }

  nonisolated func start(_ word: Int) { Task { @MainActor in started += "m\(word)" } }
}

private actor SharedGate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Whether it had to wait.
  func wait() async -> Bool {
    guard !isOpen else { return false }
    await withCheckedContinuation { waiting.append($0) }
    return true
  }

  func open() {
    isOpen = true
    for waiter in waiting { waiter.resume() }
    waiting = []
  }
}

/// That a value never becomes smaller.
private struct NeverBack: Invariant.Monitor {
  var judged: Bool { true }
  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .changed(_, .int(let from), .int(let to)) = event.kind, to < from else { return nil }
    return "went back"
  }
}
