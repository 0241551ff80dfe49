import Simulator
import Synchronization

/// One run of a program, in a simulation or for real: what its tasks share.
final class Run: Sendable {
  let pacer: Pacer
  let program: Program
  private let cells: [Cell]
  private let counter: Counter
  private let gate: Gate
  private let board = Board()
  private let locks: Locks
  let objects: Objects
  private let streams: [Stream]
  /// Filled before a task can ask.
  private let handles = Mutex<[Task<String, Never>]>([])

  private struct Stream: Sendable {
    let stream: AsyncStream<Int>
    let continuation: AsyncStream<Int>.Continuation
  }

  /// When it began; nil where the program has no instants.
  let beginning: ContinuousClock.Instant?

  init(_ program: Program, _ pacer: Pacer) {
    self.program = program
    self.pacer = pacer
    beginning = program.hasCoincidences ? .now : nil
    let second = Cell(pacer)
    cells = [Cell(pacer, next: second), second]
    counter = Counter(pacer)
    gate = Gate(pacer)
    locks = Locks(program.locks)
    objects = Objects(program.hasObjects ? 2 : 0, board, pacer)
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
  static let last = -1

  func handle(_ task: Int) -> Task<String, Never> { handles.withLock { $0[task] } }

  /// What an operation must know of the task that runs it.
  struct Context: Sendable {
    /// In a task that began within the step of its maker, how the maker gets to go on. Only where tasks split.
    var maker: WaitingMaker?
  }

  /// The maker of an immediate task, which goes on when the task suspends for the first time, or ends.
  final class WaitingMaker: @unchecked Sendable {
    // @unchecked Sendable because only the immediate task uses it.
    private var continuation: CheckedContinuation<Void, Never>?

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

    func goesOn() {
      continuation?.resume()
      continuation = nil
    }
  }

  // MARK: bodies

  func run(_ body: Program.Body, _ context: Context) async -> String {
    let text = await run(body.operations, context)
    defer { context.maker?.goesOn() }
    return pacer.step(point(body.id)) { text }
  }

  private func run(_ operations: [Program.Operation], _ context: Context) async -> String {
    var log = ""
    for operation in operations {
      if operation.kind.maySuspend { context.maker?.goesOn() }
      log += await run(operation, context)
    }
    return log
  }

  private func run(_ operation: Program.Operation, _ context: Context) async -> String {
    let point = point(operation.id)
    if operation.kind.isLocking { return locks.run(operation.kind, point, pacer) }
    if operation.kind.isVisit { return await visit(operation.kind, point) }
    await split()
    switch operation.kind {
    case .yield: await yield()
    case .sleep, .sleepUntil, .sleepTo, .sleepNotingCancel, .cancelAfter:
      return await sleep(operation.kind, point)
    case .branch(let coin, let bodies):
      let isTaken = pacer.step(point) { tossed(coin, of: operation.id) }
      return (isTaken ? "1" : "0") + "(\(await run(bodies[isTaken ? 1 : 0], context)))"
    case .see(let object): return pacer.step(point) { objects.sees(object) }
    case .hold(let object, let body): return await hold(object, body, point)
    case .result(let isError): return await result(isError: isError, point)
    case .flip(let coin): return pacer.step(point) { tossed(coin, of: operation.id) ? "f1" : "f0" }
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

  func split() async {
    if pacer.splits { await Aside().pass() }
  }

  func yield() async {
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
    case .drop(let object): await objects.owners[object].drop(point)
    case .pendOnCell: await cells[1].wait(for: locks.semaphore, point)
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

  /// What comes of a random number: that of this run, or what the program says.
  private func tossed(_ coin: Program.Coin, of operation: Int) -> Bool {
    if let draws = program.draws { return draws[operation] ?? false }
    return switch coin {
    case .bool: Bool.random()
    case .integer: Int.random(in: 0..<2) == 1
    case .element: [0, 1].randomElement() == 1
    }
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
