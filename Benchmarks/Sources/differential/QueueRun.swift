import Dispatch
import Foundation

/// One run of a program of queues and threads, in a simulation or for real.
final class QueueRun: Sendable {
  private let program: Program
  private let pacer: Pacer
  private let locks: Locks
  private let serial = DispatchQueue(label: "serial")
  private let upper: DispatchQueue
  private let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
  private let operations = OperationQueue()
  private let single = OperationQueue()
  private let semaphore = DispatchSemaphore(value: 0)
  /// Empty when all has been done.
  private let all = DispatchGroup()
  private let first = DispatchGroup()
  private let board = Board()
  private let logs: Logs

  init(_ program: Program, _ pacer: Pacer) {
    self.program = program
    self.pacer = pacer
    locks = Locks(program.locks)
    upper = DispatchQueue(label: "upper", target: serial)
    logs = Logs(program.tasks)
    single.maxConcurrentOperationCount = 1
  }

  /// What each body saw, and what is left in the end.
  @concurrent func outcome() async -> String {
    first.enter()
    for index in program.tasks.indices {
      all.enter()
      hand(to: program.carriers[index]) {
        self.run(self.program.tasks[index])
        if index == 0 { self.first.leave() }
        self.all.leave()
      }
    }
    if !program.closing.isEmpty { await emptied(first) }
    for operation in program.closing { _ = run(operation) }
    await emptied(all)
    return logs.text + " | " + locks.text + (program.sharesText ? " | " + board.text : "")
  }

  private func emptied(_ group: DispatchGroup) async {
    await withCheckedContinuation { waiting in group.notify(queue: .global()) { waiting.resume() } }
  }

  private func run(_ body: Program.Body) {
    var log = ""
    for operation in body.operations { log += run(operation) }
    pacer.step(body.id * 4) { logs[body.id] = log }
  }

  private func run(_ operation: Program.Operation) -> String {
    let point = operation.id * 4
    switch operation.kind {
    case .hand(let place, let body): later(point, body) { self.hand(to: place, $0) }
    case .barrier(let body): later(point, body) { self.concurrent.async(flags: .barrier, execute: $0) }
    case .barrierBlock(let body):
      later(point, body) { self.operations.addBarrierBlock($0) }
    case .ordered(let place, let bodies): ordered(point, bodies, on: queue(ofOperations: place))
    case .paused(let body):
      pacer.step(point) { operations.isSuspended = true }
      run(body)
      pacer.step(point + 1) { operations.isSuspended = false }
    case .width(let count): pacer.step(point) { operations.maxConcurrentOperationCount = count }
    case .awaited(.operations, let body): awaited(point, body, on: operations)
    case .awaited(.single, let body): awaited(point, body, on: single)
    case .awaited(let place, let body): awaited(point, body, at: place)
    case .sync(let place, let body):
      pacer.approach(point)
      queue(place).sync {
        pacer.step(point) {}
        run(body)
      }
    case .note(let word): pacer.step(point) { board.note(word) }
    case .look: return pacer.step(point) { "b\(board.text)." }
    case .post: pacer.step(point) { _ = semaphore.signal() }
    case .pend:
      semaphore.wait()
      pacer.step(point) {}
    default: return locks.run(operation.kind, point, pacer)
    }
    return ""
  }

  private func awaited(_ point: Int, _ body: Program.Body, at place: Program.Place) {
    let done = DispatchGroup()
    done.enter()
    later(point, body) { work in
      self.hand(to: place) {
        work()
        done.leave()
      }
    }
    done.wait()
  }

  private func awaited(_ point: Int, _ body: Program.Body, on queue: OperationQueue) {
    all.enter()
    let operation = BlockOperation { self.begin(body, point + 1) }
    pacer.step(point) { queue.addOperation(operation) }
    operation.waitUntilFinished()
  }

  /// The second is added first, and waits for the other.
  private func ordered(_ point: Int, _ bodies: [Program.Body], on queue: OperationQueue) {
    for _ in bodies { all.enter() }
    let first = BlockOperation { self.begin(bodies[0], point + 1) }
    let second = BlockOperation { self.begin(bodies[1], point + 2) }
    second.addDependency(first)
    pacer.step(point) { queue.addOperations([second, first], waitUntilFinished: false) }
  }

  private func begin(_ body: Program.Body, _ point: Int) {
    pacer.step(point) {}
    run(body)
    all.leave()
  }

  private func later(_ point: Int, _ body: Program.Body, _ hand: (@escaping @Sendable () -> Void) -> Void) {
    all.enter()
    pacer.step(point) {
      hand { self.begin(body, point + 1) }
    }
  }

  private func hand(to place: Program.Place, _ work: @escaping @Sendable () -> Void) {
    switch place {
    case .thread: Thread.detachNewThread(work)
    case .task: Task.detached { work() }
    case .mainActor: Task { @MainActor in work() }
    case .operations, .single: queue(ofOperations: place).addOperation(work)
    default: queue(place).async(execute: work)
    }
  }

  private func queue(ofOperations place: Program.Place) -> OperationQueue {
    place == .single ? single : operations
  }

  private func queue(_ place: Program.Place) -> DispatchQueue {
    switch place {
    case .upper: upper
    case .serial: serial
    case .concurrent: concurrent
    case .main: .main
    default: .global()
    }
  }
}

/// What each body saw. No lock guards it: that would be another point at which others may come between.
private final class Logs: @unchecked Sendable {
  // @unchecked Sendable because a body writes its own place, and all are read when all bodies have ended.
  private final class Place { var text = "" }
  private let places: [Int: Place]

  init(_ bodies: [Program.Body]) {
    var places: [Int: Place] = [:]
    func collect(_ body: Program.Body) {
      places[body.id] = Place()
      for operation in body.operations { operation.kind.bodies.forEach(collect) }
    }
    bodies.forEach(collect)
    self.places = places
  }

  subscript(_ body: Int) -> String {
    get { places[body]?.text ?? "" }
    set { places[body]?.text = newValue }
  }

  var text: String { places.keys.sorted().map { self[$0] }.joined(separator: " ") }
}
