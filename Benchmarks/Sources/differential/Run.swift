import Simulator
import Synchronization

/// One run of a program, in a simulation or for real: what its tasks share.
final class Run: Sendable {
  let pacer: Pacer
  private let program: Program
  private let cells: [Cell]
  private let counter: Counter
  private let gate: Gate
  private let board = Board()
  private let locks: Locks
  private let streams: [Stream]
  /// Filled before a task can ask.
  private let handles = Mutex<[Task<String, Never>]>([])

  private struct Stream: Sendable {
    let stream: AsyncStream<Int>
    let continuation: AsyncStream<Int>.Continuation
  }

  init(_ program: Program, _ pacer: Pacer) {
    self.program = program
    self.pacer = pacer
    let second = Cell(pacer)
    cells = [Cell(pacer, next: second), second]
    counter = Counter(pacer)
    gate = Gate(pacer)
    locks = Locks(program.locks)
    let policies: [AsyncStream<Int>.Continuation.BufferingPolicy] = [.unbounded, .bufferingNewest(1)]
    streams = policies.map { policy in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: policy)
      return Stream(stream: stream, continuation: continuation)
    }
  }

  /// What each task saw, and what is left in the end.
  @concurrent func outcome() async -> String {
    let tasks = start()
    var words = [await tasks[0].value]
    _ = await run(program.closing, Context())
    for task in tasks.dropFirst() { words.append(await task.value) }
    if program.isLocked { words.append(locks.text) }
    for index in cells.indices {
      pacer.approach(Self.last - index)
      words.append(await cells[index].text(Self.last - index))
    }
    pacer.approach(Self.last - 2)
    words.append(await counter.text(Self.last - 2))
    words.append(pacer.step(Self.last - 3) { board.text })
    return words.joined(separator: " | ")
  }

  /// No task asks for another where they share locks, and the lock behind the handles would be one of them.
  private func start() -> [Task<String, Never>] {
    let make = {
      self.program.tasks.indices.map { index in
        let body = self.program.tasks[index]
        return Task(priority: self.program.priorities[index]?.value) { await self.run(body, Context()) }
      }
    }
    guard !program.isLocked else { return make() }
    return handles.withLock { handles in
      handles = make()
      return handles
    }
  }

  /// The points at which the root looks at what is left.
  private static let last = -1

  private func handle(_ task: Int) -> Task<String, Never> { handles.withLock { $0[task] } }

  /// What an operation must know of the task that runs it.
  struct Context: Sendable {
    /// Whether the task began within the step of its maker, and may be there still.
    var isImmediate = false
  }

  // MARK: bodies

  private func run(_ body: Program.Body, _ context: Context) async -> String {
    let text = await run(body.operations, context)
    return pacer.step(point(body.id)) { text }
  }

  private func run(_ operations: [Program.Operation], _ context: Context) async -> String {
    var log = ""
    var context = context
    for operation in operations {
      log += await run(operation, context)
      if operation.kind.suspends { context.isImmediate = false }
    }
    return log
  }

  private func run(_ operation: Program.Operation, _ context: Context) async -> String {
    let point = point(operation.id)
    if operation.kind.isLocking { return locks.run(operation.kind, point, pacer) }
    if operation.kind.isVisit { return await visit(operation.kind, point) }
    await split(context)
    switch operation.kind {
    case .yield: await yield()
    case .sleep, .sleepUntil, .sleepNotingCancel: return await sleep(operation.kind, point)
    case .group(let group, let bodies): return await run(group, bodies, point, context)
    case .tagged(let tag, let body):
      return await Tag.$current.withValue(tag) { await run(body, context) }
    case .child(let body, let isAwaited): return await child(body, isAwaited: isAwaited, point)
    case .start(let start, let body, let isAwaited):
      return await run(start, body, isAwaited: isAwaited, point)
    case .value(let task): return "(\(await handle(task).value))"
    case .next(let stream): return await next(of: stream, point)
    default: return pacer.step(point) { effect(operation.kind, point) }
    }
    return ""
  }

  private func point(_ id: Int) -> Int { id * 4 }

  private func split(_ context: Context) async {
    if pacer.splits, !context.isImmediate { await Aside().pass() }
  }

  private func yield() async {
    if pacer.isUnfair { await Aside().pass() } else { await Task.yield() }
  }

  // MARK: what a task does

  private func visit(_ kind: Program.Kind, _ point: Int) async -> String {
    pacer.approach(point)
    switch kind {
    case .read(let cell): return "r\(await cells[cell].read(point))"
    case .set(let cell, let value): await cells[cell].set(value, point)
    case .add(let cell): await cells[cell].add(point)
    case .increment(let cell):
      let value = await cells[cell].read(point)
      pacer.approach(point + 1)
      await cells[cell].set(value + 1, point + 1)
    case .relay: return "p\(await cells[0].relay(point))"
    case .count: return "m\(await counter.count(point))"
    case .startOnCell(let word): await cells[0].start(word, point)
    case .open: await gate.open(point)
    case .wait: return await gate.wait(point) ? "w" : "W"
    default: break
    }
    return ""
  }

  /// What happens at once, outside actors.
  private func effect(_ kind: Program.Kind, _ point: Int) -> String {
    switch kind {
    case .startOnMain(let word): counter.start(word, point)
    case .cancel(let task): handle(task).cancel()
    case .isCancelled: return Task.isCancelled ? "c" : "-"
    case .isOtherCancelled(let task): return handle(task).isCancelled ? "C" : "_"
    case .cancelItself: unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
    case .send(let stream, let value): return sent(streams[stream].continuation.yield(value))
    case .finish(let stream): streams[stream].continuation.finish()
    case .note(let word): board.note(word)
    case .look: return "b\(board.text)."
    case .tag: return "t\(Tag.current)"
    default: break
    }
    return ""
  }

  private func sent(_ result: AsyncStream<Int>.Continuation.YieldResult) -> String {
    switch result {
    case .enqueued: "e"
    case .dropped: "d"
    default: "t"
    }
  }

  private func next(of stream: Int, _ point: Int) async -> String {
    pacer.step(point) {}
    var iterator = streams[stream].stream.makeAsyncIterator()
    return await iterator.next().map { "n\($0)" } ?? "n-"
  }

  private func sleep(_ kind: Program.Kind, _ point: Int) async -> String {
    pacer.step(point) {}
    if case .sleepNotingCancel(let task) = kind { return await sleepNotingCancel(of: task) }
    if case .sleepUntil(let units) = kind, !pacer.isUntimed {
      let deadline = ContinuousClock.now + pacer.unit * units
      do { try await ContinuousClock().sleep(until: deadline) } catch { return "!" }
      return ""
    }
    return await sleep(kind.units) ? "" : "!"
  }

  /// Whether its handler ran, and whether `task` had been cancelled by then.
  private func sleepNotingCancel(of task: Int) async -> String {
    let seen = Mutex(".")
    _ = await withTaskCancellationHandler {
      await sleep(2)
    } onCancel: {
      let isCancelled = handle(task).isCancelled
      seen.withLock { $0 = isCancelled ? "h" : "H" }
    }
    return seen.withLock { $0 }
  }

  /// Whether it slept to the end.
  private func sleep(_ units: Int) async -> Bool {
    if pacer.isUntimed {
      await Aside().pass()
      return !Task.isCancelled
    }
    do { try await Task.sleep(for: pacer.unit * units) } catch { return false }
    return true
  }

  // MARK: tasks within tasks

  private func child(_ body: Program.Body, isAwaited: Bool, _ point: Int) async -> String {
    async let child = run(body, Context())
    if isAwaited { return "{\(await child)}" }
    await yield()
    // It is cancelled here.
    pacer.step(point) {}
    return ""
  }

  private func run(
    _ start: Program.Start, _ body: Program.Body, isAwaited: Bool, _ point: Int
  ) async -> String {
    // An immediate task comes to points of its own within the step that makes it.
    if start == .immediate { pacer.step(point) {} }
    let task =
      start == .immediate
      ? Task.immediate { await self.run(body, Context(isImmediate: true)) }
      : pacer.step(point) {
        switch start {
        case .inheriting, .immediate: Task { await self.run(body, Context()) }
        case .detached: Task.detached { await self.run(body, Context()) }
        case .high: Task(priority: .high) { await self.run(body, Context()) }
        case .low: Task(priority: .low) { await self.run(body, Context()) }
        }
      }
    return isAwaited ? "{\(await task.value)}" : ""
  }

  private struct Thrown: Error {}

  private func run(
    _ kind: Program.Group, _ bodies: [Program.Body], _ point: Int, _ context: Context
  ) async -> String {
    switch kind {
    case .all, .first, .bodyCancels, .unlessCancelled:
      await withTaskGroup(of: String.self) { group in
        await run(kind, bodies, in: &group, point, context)
      }
    case .throwing:
      await text {
        try await withThrowingTaskGroup(of: String.self) { group in
          for (index, body) in bodies.enumerated() {
            group.addTask {
              let text = await self.run(body, Context())
              if index == 0 { throw Thrown() }
              return text
            }
            await split(context)
          }
          var text = ""
          for try await part in group { text += part + ";" }
          return text
        }
      }
    case .discarding:
      await withDiscardingTaskGroup { group in
        for body in bodies {
          group.addTask { _ = await self.run(body, Context()) }
          await split(context)
        }
        return ""
      }
    case .discardingThrowing:
      await text {
        try await withThrowingDiscardingTaskGroup { group in
          for (index, body) in bodies.enumerated() {
            group.addTask {
              _ = await self.run(body, Context())
              if index == 0 { throw Thrown() }
            }
            await split(context)
          }
          return ""
        }
      }
    }
  }

  private func run(
    _ kind: Program.Group, _ bodies: [Program.Body], in group: inout TaskGroup<String>, _ point: Int,
    _ context: Context
  ) async -> String {
    var text = "<"
    let isFirst = kind == .bodyCancels || kind == .unlessCancelled
    // The group's own body runs the last one, between the making of the others or after it.
    if kind == .unlessCancelled, let last = bodies.last { text += await run(last, context) }
    for body in isFirst ? bodies.dropLast() : bodies[...] {
      let isAdded = pacer.step(point) {
        if kind != .unlessCancelled { group.addTask { await self.run(body, Context()) } }
        return kind != .unlessCancelled || group.addTaskUnlessCancelled { await self.run(body, Context()) }
      }
      if kind == .unlessCancelled { text += isAdded ? "+" : "-" }
      await split(context)
    }
    if kind == .bodyCancels, let last = bodies.last { text += await run(last, context) }
    if kind == .first { text += await group.next() ?? "" }
    if kind == .first || kind == .bodyCancels {
      await split(context)
      pacer.step(point + 1) { group.cancelAll() }
    }
    for await part in group { text += part + ";" }
    return text + ">"
  }

  private func text(of body: () async throws -> String) async -> String {
    do { return "<\(try await body())>" } catch { return "<!>" }
  }
}

extension Program.Priority {
  var value: TaskPriority {
    switch self {
    case .high: .high
    case .medium: .medium
    case .low: .low
    }
  }
}

extension Program.Kind {
  /// Whether it goes to an actor at once.
  var isVisit: Bool {
    switch self {
    case .read, .set, .add, .increment, .relay, .count, .startOnCell, .open, .wait: true
    default: false
    }
  }

  /// Whether it uses a lock, the condition or an atomic.
  var isLocking: Bool {
    switch self {
    case .section, .twoSections, .nested, .tryLock, .signal, .awaitSignal: true
    case .load, .store, .exchange, .compareExchange, .increase: true
    default: false
    }
  }

  /// Whether a task that has done it has left the step in which it began.
  var suspends: Bool {
    switch self {
    case .yield, .sleep, .sleepUntil, .sleepNotingCancel: true
    default: isVisit
    }
  }
}
