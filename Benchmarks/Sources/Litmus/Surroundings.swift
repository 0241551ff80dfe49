import Dispatch

extension LitmusTheme {
  static let surroundings = LitmusTheme(
    "Task-locals, deinitializers, executors",
    [
      Litmus(
        "task-locals",
        "With a task-local bound: a task, a child and a detached task each read it, after the binding has ended.",
        outcomes: ["bound bound unbound"],
        why:
          "A task copies its maker's bindings when it is made, a child sees its parent's, a detached task none."
      ) {
        let gate = Gate()
        let (task, detached) = Mark.$mark.withValue("bound") {
          (
            Task {
              await gate.wait()
              return Mark.mark
            }, Task.detached { Mark.mark }
          )
        }
        let child = await Mark.$mark.withValue("bound") {
          async let child = Mark.mark
          return await child
        }
        await gate.open()
        return "\(await task.value) \(child) \(await detached.value)"
      },
      Litmus(
        "deinit",
        "A pool task lets go of the last reference to an object that notes its end, then notes.",
        outcomes: ["deinit after"],
        why: "An ordinary deinitializer runs where the last reference ends."
      ) {
        let board = Board()
        Owner(board).keep()
        board.note("after")
        return board.text
      },
      Litmus(
        "isolated-deinit-then-main-task",
        "A pool task lets go of the last reference to a main-actor object, then makes a main-actor task.",
        outcomes: ["deinit task"],
        why:
          "The isolated deinitializer is put in the main actor's queue as the reference ends, before the task."
      ) {
        let board = Board()
        let holder = Holder(await MainOwner(board))
        holder.letGo()
        await Task { @MainActor in board.note("task") }.value
        return board.text
      },
      Litmus(
        "isolated-deinit-then-statement",
        "The same, then the pool task notes.",
        outcomes: ["after deinit", "deinit after"],
        overlapOnly: ["deinit after"],
        why: "The main actor may run the deinitializer before the next statement, on its own thread."
      ) {
        let board = Board()
        let holder = Holder(await MainOwner(board))
        holder.letGo()
        board.note("after ")
        await Task { @MainActor in }.value
        return board.trimmed
      },
      Litmus(
        "isolated-deinit-at-home",
        "The main actor lets go of the last reference to a main-actor object, then notes.",
        outcomes: ["deinit after"],
        why: "On its own actor an isolated deinitializer runs at once."
      ) {
        await letGoAtHome()
      },
      Litmus(
        "own-executor-lost-update",
        "Two tasks read and write the number of an actor that has its own serial executor.",
        outcomes: ["1", "2"],
        why: "Such an actor is left between read and write like any other."
      ) {
        let cell = QueueCell()
        await together({ await increment(cell) }, { await increment(cell) })
        return "\(await cell.value)"
      },
      Litmus(
        "own-executor-own-methods",
        "Such an actor awaits its own methods between its read and its write.",
        outcomes: ["2"],
        why: "From an executor to itself is no hop."
      ) {
        let cell = QueueCell()
        await together({ await cell.addByOwnMethods() }, { await cell.addByOwnMethods() })
        return "\(await cell.value)"
      },
    ])
}

private enum Mark {
  @TaskLocal static var mark = "unbound"
}

private final class Owner {
  private let board: Board

  init(_ board: Board) { self.board = board }

  func keep() {}

  deinit { board.note("deinit ") }
}

@MainActor private final class MainOwner {
  private let board: Board

  init(_ board: Board) { self.board = board }

  isolated deinit { board.note("deinit ") }
}

private final class Holder {
  private var owner: MainOwner?

  init(_ owner: MainOwner) { self.owner = owner }

  @inline(never) func letGo() { owner = nil }
}

@MainActor private func letGoAtHome() -> String {
  let board = Board()
  let holder = Holder(MainOwner(board))
  holder.letGo()
  board.note("after")
  return board.text
}

private actor QueueCell {
  private let executor = QueueExecutor()
  var value = 0

  // Safe because the actor holds its executor for as long as it lives.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  func write(_ value: Int) { self.value = value }

  func addByOwnMethods() async {
    let seen = await read()
    pause()
    write(seen + 1)
  }

  private func read() async -> Int { value }
}

private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "litmus")

  func enqueue(_ job: consuming ExecutorJob) {
    // Safe because each job is run exactly once, on an executor that the closure holds.
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private func increment(_ cell: QueueCell) async {
  let seen = await cell.value
  await cell.write(successor(of: seen))
}
