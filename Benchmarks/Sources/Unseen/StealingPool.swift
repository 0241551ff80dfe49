import Simulator
import TwinPrograms

extension TwinProgram {
  /// Four workers with a deque each; a job may bring forth others, and a worker without jobs steals half
  /// of another's.
  static let stealingPool = TwinProgram(
    "work-stealing pool", "five actors, a group",
    bug:
      "The pool is idle when all deques are empty, although a thief has jobs in its hands: they are lost.",
    deviations: 1
  ) { simulation, twin in
    let pool = StealingPool(workers: 4, twin)
    await pool.submit([Job(number: 1, depth: 2), Job(number: 2, depth: 1), Job(number: 3, depth: 0)], to: 0)
    await withDiscardingTaskGroup { group in
      for index in 0..<4 {
        group.addTask { await pool.work(index) }
      }
    }
    let done = await pool.done
    // A job of depth two brings forth two of depth one, and each of them two more.
    if done != 11 { simulation.fail("every job is done", "\(done) of 11 jobs were done") }
  }
}

private struct Job: Sendable {
  let number: Int
  let depth: Int

  var children: [Job] {
    depth == 0 ? [] : (0..<2).map { Job(number: number * 10 + $0, depth: depth - 1) }
  }
}

private actor Deque {
  private var jobs: [Job] = []
  private var isClosed = false

  var isEmpty: Bool { jobs.isEmpty }

  /// A deque that is closed takes nothing.
  func push(_ more: [Job]) {
    if !isClosed { jobs += more }
  }

  func pop() -> Job? { jobs.popLast() }

  func stealHalf() -> [Job] {
    let stolen = Array(jobs.prefix((jobs.count + 1) / 2))
    jobs.removeFirst(stolen.count)
    return stolen
  }

  func close() { isClosed = true }
}

private actor StealingPool {
  private nonisolated let deques: [Deque]
  private nonisolated let twin: TwinProgram.Twin
  private(set) var done = 0
  private var outstanding = 0
  private var isStopped = false

  init(workers: Int, _ twin: TwinProgram.Twin) {
    deques = (0..<workers).map { _ in Deque() }
    self.twin = twin
  }

  func submit(_ jobs: [Job], to index: Int) async {
    outstanding += jobs.count
    await deques[index].push(jobs)
  }

  nonisolated func work(_ index: Int) async {
    while await !isStopped {
      if let job = await deques[index].pop() {
        await run(job, index)
      } else if let job = await steal(for: index) {
        await run(job, index)
      } else if await isIdle() {
        await stop()
      } else {
        await Task.yield()
      }
    }
  }

  private nonisolated func run(_ job: Job, _ index: Int) async {
    let children = job.children
    if !children.isEmpty { await submit(children, to: index) }
    await finish()
  }

  /// A job of another worker; what else is stolen goes to the thief's own deque.
  private nonisolated func steal(for index: Int) async -> Job? {
    for offset in 1..<deques.count {
      let stolen = await deques[(index + offset) % deques.count].stealHalf()
      guard let first = stolen.first else { continue }
      if stolen.count > 1 { await deques[index].push(Array(stolen.dropFirst())) }
      return first
    }
    return nil
  }

  private func finish() {
    done += 1
    outstanding -= 1
  }

  private func isIdle() async -> Bool {
    switch twin {
    case .seeded:
      for deque in deques where await !deque.isEmpty { return false }
      return true
    case .mended:
      return outstanding == 0
    }
  }

  private func stop() async {
    isStopped = true
    for deque in deques { await deque.close() }
  }
}
