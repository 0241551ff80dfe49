extension LitmusTheme {
  static let priorities = LitmusTheme(
    "Priorities",
    [
      Litmus(
        "pool-priorities",
        "A low task and a high task on the pool, made in that order.",
        outcomes: ["high low", "low high"],
        why: "The pool has several threads, and none waits for a higher task."
      ) {
        let board = Board()
        let low = Task(priority: .low) { board.note("low ") }
        let high = Task(priority: .high) { board.note("high ") }
        await low.value
        await high.value
        return board.trimmed
      },
      Litmus(
        "mailbox-priorities",
        "An actor makes a low and then a high task isolated to itself.",
        outcomes: ["high low"],
        why: "Both are in the mailbox when the actor is next free, and a mailbox gives the highest first."
      ) {
        await Clerk().lowThenHigh()
      },
      Litmus(
        "mailbox-order-within-a-priority",
        "An actor makes two low and then two high tasks isolated to itself.",
        outcomes: ["high1 high2 low1 low2"],
        why: "Highest first, and within one priority first in, first out."
      ) {
        await Clerk().twoAndTwo()
      },
      Litmus(
        "calls-of-two-priorities",
        "A low and a high task of the pool each call an actor.",
        outcomes: ["high low", "low high"],
        why: "The low call may be over before the high one is made."
      ) {
        let journal = Journal()
        let low = Task(priority: .low) { await journal.note("low ") }
        let high = Task(priority: .high) { await journal.note("high ") }
        await low.value
        await high.value
        return await journal.trimmed
      },
      Litmus(
        "main-actor-has-no-priorities",
        "A low and then a high task of the main actor, made in one step of it.",
        outcomes: ["low high"],
        why: "The main actor's queue is first in, first out whatever the priority."
      ) {
        await lowThenHighOnMain()
      },
      Litmus(
        "calls-of-two-priorities-from-the-main-actor",
        "A low and then a high task of the main actor each call an actor.",
        outcomes: ["high low", "low high"],
        why: "The low call comes first to the mailbox; the high one passes it if it is still waiting there."
      ) {
        let journal = Journal()
        await callLowThenHigh(journal)
        return await journal.trimmed
      },
      Litmus(
        "priority-is-inherited",
        "A utility task makes a task and a detached task; each tells its own priority.",
        outcomes: ["utility medium"],
        why: "Task {} takes its maker's priority, a detached task does not."
      ) {
        await Task(priority: .utility) {
          let inner = await Task { word(for: Task.basePriority) }.value
          let detached = await Task.detached { word(for: Task.basePriority) }.value
          return "\(inner) \(detached)"
        }.value
      },
      Litmus(
        "awaited-is-raised",
        "A high task makes a utility one and awaits it; the latter tells its current priority.",
        outcomes: ["high", "utility"],
        overlapOnly: ["utility"],
        why: "The wait raises it; it tells utility only if it ran before its maker came to wait."
      ) {
        await Task(priority: .high) {
          await Task.detached(priority: .utility) { word(for: Task.currentPriority) }.value
        }.value
      },
    ])
}

@MainActor private func lowThenHighOnMain() async -> String {
  let journal = MainJournal()
  let low = Task(priority: .low) { journal.note("low ") }
  let high = Task(priority: .high) { journal.note("high") }
  await low.value
  await high.value
  return journal.text
}

@MainActor private func callLowThenHigh(_ journal: Journal) async {
  let calls = [("low ", TaskPriority.low), ("high ", .high)].map { entry, priority in
    Task(priority: priority) {
      pause()
      await journal.note(entry)
    }
  }
  for call in calls { await call.value }
}

private func word(for priority: TaskPriority?) -> String {
  switch priority {
  case .high: "high"
  case .medium: "medium"
  case .utility: "utility"
  default: "another"
  }
}

private actor Clerk {
  private let journal = Board()

  func lowThenHigh() async -> String {
    let tasks = [("low ", TaskPriority.low), ("high ", .high)].map(task)
    for task in tasks { await task.value }
    return journal.trimmed
  }

  func twoAndTwo() async -> String {
    let tasks = [("low1 ", TaskPriority.low), ("low2 ", .low), ("high1 ", .high), ("high2 ", .high)].map(task)
    for task in tasks { await task.value }
    return journal.trimmed
  }

  private func task(_ entry: String, _ priority: TaskPriority) -> Task<Void, Never> {
    Task(priority: priority) { note(entry) }
  }

  private func note(_ entry: String) { journal.note(entry) }
}
