import Dispatch
import Foundation

/// Suspends until `queue` has come to what is handed over here.
private func reached(_ queue: DispatchQueue) async {
  await withCheckedContinuation { waiting in queue.async { waiting.resume() } }
}

extension LitmusTheme {
  /// Executors that are queues, and others; their actors note letters on a board.
  static let executors = LitmusTheme(
    "Executors of the program",
    [
      Litmus(
        "executor-beside-blocks", "An actor's job between two blocks on the queue of its executor.",
        outcomes: ["123"],
        why: "The executor hands its job to the queue, which runs all in the order in which they came."
      ) {
        let (queue, board) = (DispatchQueue(label: "both"), Board())
        let clerk = Clerk(Turns(queue), board)
        queue.async { board.note("1") }
        await clerk.note("2")
        queue.async { board.note("3") }
        await reached(queue)
        return board.text
      },
      Litmus(
        "executors-on-one-queue", "Tasks start on two actors, whose executors send to one queue.",
        outcomes: ["1234"], why: "The two executors have one order, the queue's."
      ) {
        let (queue, board) = (DispatchQueue(label: "both"), Board())
        let (one, two) = (Clerk(Turns(queue), board), Clerk(Turns(queue), board))
        await one.start("12")
        await two.start("34")
        await reached(queue)
        return board.text
      },
      Litmus(
        "executor-on-main-queue", "An executor sends to the main queue, beside code of the main actor.",
        outcomes: ["m1x2n", "m1xn2", "mx1n2", "mxn12"],
        why: "The main queue runs both in the order in which they came; a hop may come late."
      ) {
        let board = Board()
        let clerk = Clerk(Turns(.main), board)
        let one = Task { @MainActor in
          board.note("m")
          await clerk.note("x")
          board.note("n")
        }
        let two = Task {
          await clerk.note("1")
          await MainActor.run { board.note("2") }
        }
        await one.value
        await two.value
        return board.text
      },
      Litmus(
        "executor-newest-first", "An executor runs the newest of three jobs first.", outcomes: ["321"],
        why: "Only the executor decides which of its jobs runs."
      ) {
        let (executor, board) = (NewestFirst(), Board())
        await Clerk(executor, board).start("123")
        for _ in 0..<3 { await reached(executor.queue) }
        return board.text
      },
      Litmus(
        "executor-drains-elsewhere", "Two jobs in a list that a block on a global queue runs.",
        outcomes: ["12", "21"],
        why: "The list keeps the order in which the tasks came, and either came first."
      ) {
        let board = Board()
        let clerk = Clerk(Drain(), board)
        let (one, two) = (Task { await clerk.note("1") }, Task { await clerk.note("2") })
        await one.value
        await two.value
        return board.text
      },
      Litmus(
        "task-executor-serial", "Two tasks that yield prefer an executor with a serial queue.",
        outcomes: ["1122", "1212"], overlapOnly: ["1122"],
        why: "The first is handed over first; it may end before the second is made."
      ) {
        let (executor, board) = (TurnsOfTasks(), Board())
        let tasks = "12".map { letter in
          Task(executorPreference: executor) {
            board.note("\(letter)")
            await Task.yield()
            board.note("\(letter)")
          }
        }
        for task in tasks { await task.value }
        return board.text
      },
      Litmus(
        "task-executor-global", "The same with a global queue.",
        outcomes: ["1122", "1212", "1221", "2112", "2121", "2211"], why: "Any thread may be held up."
      ) {
        let (executor, board) = (TurnsOfTasks(.global()), Board())
        let tasks = "12".map { letter in
          Task(executorPreference: executor) {
            board.note("\(letter)")
            await Task.yield()
            board.note("\(letter)")
          }
        }
        for task in tasks { await task.value }
        return board.text
      },
      Litmus(
        "task-executor-runs-actor", "The same with a serial queue, through an actor.",
        outcomes: ["12dd12", "1d12d2", "1d21d2"], overlapOnly: ["1d12d2", "1d21d2"],
        why: "Who comes to an idle actor has it run on the queue, with all that has come to it meanwhile."
      ) {
        let (executor, board) = (TurnsOfTasks(), Board())
        let clerk = PoolClerk(board)
        let tasks = "12".map { letter in
          Task(executorPreference: executor) {
            board.note("\(letter)")
            await clerk.note("d")
            board.note("\(letter)")
          }
        }
        for task in tasks { await task.value }
        return board.text
      },
    ])
}

private final class Turns: SerialExecutor {
  private let queue: DispatchQueue
  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    // Safe because each job is run exactly once, on an executor that the closure holds. So it is below.
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private final class TurnsOfTasks: TaskExecutor {
  private let queue: DispatchQueue
  init(_ queue: DispatchQueue = DispatchQueue(label: "turns")) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

private final class NewestFirst: SerialExecutor, @unchecked Sendable {
  // @unchecked Sendable because only blocks on the queue use the jobs.
  let queue = DispatchQueue(label: "newest first")
  private var jobs: [UnownedJob] = []

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { self.jobs.append(job) }
    queue.async { self.queue.async { self.runNewest() } }
  }

  private func runNewest() { unsafe jobs.removeLast().runSynchronously(on: asUnownedSerialExecutor()) }
}

private final class Drain: SerialExecutor, @unchecked Sendable {
  // @unchecked Sendable because the jobs are used under the lock only.
  private let lock = NSLock()
  private var jobs: [UnownedJob] = []
  private var isDraining = false

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    lock.lock()
    jobs.append(job)
    let begins = !isDraining
    isDraining = true
    lock.unlock()
    if begins { DispatchQueue.global().async { self.drain() } }
  }

  private func drain() {
    while let job = next() { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  private func next() -> UnownedJob? {
    lock.lock()
    defer { lock.unlock() }
    isDraining = !jobs.isEmpty
    return isDraining ? jobs.removeFirst() : nil
  }
}

private actor Clerk {
  private let executor: any SerialExecutor
  private let board: Board
  // Safe because the actor holds its executor for as long as it lives.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ executor: any SerialExecutor, _ board: Board) {
    self.executor = executor
    self.board = board
  }

  func note(_ letter: String) { board.note(letter) }
  func start(_ letters: String) { for letter in letters { Task { self.note("\(letter)") } } }
}

private actor PoolClerk {
  private let board: Board
  init(_ board: Board) { self.board = board }
  func note(_ letter: String) { board.note(letter) }
}
