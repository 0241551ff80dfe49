import Foundation
import Simulator

extension SmallProgram {
  private static func reaches(_ queue: DispatchQueue) async {
    await withCheckedContinuation { waiting in queue.async { waiting.resume() } }
  }

  private static func all(_ tasks: Task<Void, Never>...) async { for task in tasks { await task.value } }

  /// Programs with executors of their own, of which a search sees all schedules.
  static let withExecutors = [
    OfQueues("jobs come to a queue in the order in which tasks start", ["123."]) { log in
      let clerk = Clerk(QueueTurns(), log)
      await clerk.start("123")
      await clerk.add(".")
    },
    OfQueues("a job between two blocks of its queue", ["123"]) { log in
      let queue = DispatchQueue(label: "both")
      let clerk = Clerk(QueueTurns(queue), log)
      queue.async { log.add("1") }
      await clerk.add("2")
      queue.async { log.add("3") }
      await reaches(queue)
    },
    OfQueues("two executors that send to one queue", ["123", "132", "312"]) { log in
      let queue = DispatchQueue(label: "both")
      let (one, two) = (Clerk(QueueTurns(queue), log), Clerk(QueueTurns(queue), log))
      await all(
        Task {
          await one.add("1")
          await two.add("2")
        }, Task { await two.add("3") })
    },
    OfQueues("tasks start on two executors that send to one queue", ["1234."]) { log in
      let queue = DispatchQueue(label: "both")
      let (one, two) = (Clerk(QueueTurns(queue), log), Clerk(QueueTurns(queue), log))
      await one.start("12")
      await two.start("34")
      await one.add(".")
    },
    OfQueues("an executor that sends to the main queue", ["m1x2n", "m1xn2", "mx1n2", "mxn12"]) { log in
      let clerk = Clerk(QueueTurns(.main), log)
      await all(
        Task { @MainActor in
          log.add("m")
          await clerk.add("x")
          log.add("n")
        },
        Task {
          await clerk.add("1")
          await MainActor.run { log.add("2") }
        })
    },
    OfQueues("sleepers come back to their executor in any order", ["12", "21"]) { log in
      let clerk = Clerk(QueueTurns(), log)
      await all(Task { await clerk.addLater("1") }, Task { await clerk.addLater("2") })
    },
    OfQueues("tasks that yield on one executor", ["aabb", "abab", "abba", "baab", "baba", "bbaa"]) { log in
      let clerk = Clerk(QueueTurns(), log)
      await all(Task { await clerk.addTwice("a") }, Task { await clerk.addTwice("b") })
    },
    OfQueues("an executor that runs jobs in place", ["12"]) { log in
      let clerk = Clerk(InPlaceExecutor(), log)
      await clerk.add("1")
      await clerk.add("2")
    },
    OfQueues("a block on an executor's queue is isolated to its actor", ["12"]) { log in
      let queue = DispatchQueue(label: "both")
      let clerk = Clerk(QueueTurns(queue), log)
      queue.async { clerk.addAtOnce("1") }
      await clerk.add("2")
    },
    OfQueues("a task executor on a serial queue", ["123"]) { log in
      let executor = QueueTurnsOfTasks()
      let tasks = "123".map { letter in Task(executorPreference: executor) { log.add("\(letter)") } }
      for task in tasks { await task.value }
    },
    OfQueues("a task executor's queue beside its blocks", ["01234"]) { log in
      let executor = QueueTurnsOfTasks()
      executor.queue.async { log.add("0") }
      await withTaskExecutorPreference(executor) {
        log.add("1")
        executor.queue.async { log.add("2") }
        await Task.yield()
        log.add("3")
      }
      log.add("4")
    },
    OfQueues("children inherit a preference", ["012"]) { log in
      await withTaskExecutorPreference(QueueTurnsOfTasks()) {
        async let one: Void = log.add("1")
        async let two: Void = log.add("2")
        log.add("0")
        _ = await (one, two)
      }
    },
    OfQueues("a task executor runs the jobs of a default actor", ["123"]) { log in
      let clerk = PoolClerk(log)
      await withTaskExecutorPreference(QueueTurnsOfTasks()) {
        log.add("1")
        await clerk.add("2")
        log.add("3")
      }
    },
    OfQueues(
      "a task executor on a global queue", ["1122", "1212", "1221", "2112", "2121", "2211"]
    ) { log in
      let executor = QueueTurnsOfTasks(.global())
      await all(
        Task(executorPreference: executor) { await twice("1", log) },
        Task(executorPreference: executor) { await twice("2", log) })
    },
  ]

  private static func twice(_ letter: String, _ log: QueueLog) async {
    Simulation.current?.declareAccess(to: "log")
    log.add(letter)
    await Task.yield()
    Simulation.current?.declareAccess(to: "log")
    log.add(letter)
  }

  /// The same where steps overlap, of which a reduced search sees all behaviors.
  static let withExecutorsThatOverlap = [
    OfQueues("an executor that runs the newest job first", ["321"]) { log in
      let executor = NewestFirst()
      await Clerk(executor, log).start("123")
      for _ in 0..<3 { await reaches(executor.queue) }
    },
    OfQueues("an executor that drains its jobs elsewhere", ["12", "21"]) { log in
      let clerk = Clerk(Drain(), log)
      await all(Task { await clerk.add("1") }, Task { await clerk.add("2") })
    },
    OfQueues(
      "a task that starts before blocks on its executor's queue",
      ["12ab", "1a2b", "1ab2", "a12b", "a1b2", "ab12"]
    ) { log in
      let queue = DispatchQueue(label: "both")
      let clerk = Clerk(QueueTurns(queue), log)
      let task = Task {
        await clerk.add("a")
        await clerk.add("b")
      }
      for letter in "12" { queue.async { log.add("\(letter)") } }
      await task.value
      await reaches(queue)
    },
    OfQueues("two tasks on a task executor with a serial queue", ["1122", "1212"]) { log in
      let executor = QueueTurnsOfTasks()
      await all(
        Task(executorPreference: executor) { await twice("1", log) },
        Task(executorPreference: executor) { await twice("2", log) })
    },
    OfQueues(
      "a task executor with a serial queue runs a default actor's jobs", ["12dd12", "1d12d2", "1d21d2"]
    ) { log in
      let (executor, clerk) = (QueueTurnsOfTasks(), PoolClerk(log))
      let tasks = "12".map { letter in
        Task(executorPreference: executor) {
          log.add("\(letter)")
          await clerk.add("d")
          log.add("\(letter)")
        }
      }
      for task in tasks { await task.value }
    },
    OfQueues("a preference and an actor's own executor", ["e11e22", "e1e212"]) { log in
      let (executor, clerk) = (QueueTurnsOfTasks(), Clerk(QueueTurns(), log))
      let tasks = "12".map { letter in
        Task(executorPreference: executor) {
          await clerk.add("e\(letter)")
          log.add("\(letter)")
        }
      }
      for task in tasks { await task.value }
    },
  ]
}
