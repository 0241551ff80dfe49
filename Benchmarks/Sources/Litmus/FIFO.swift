extension LitmusTheme {
  static let fifo = LitmusTheme(
    "First in, first out",
    [
      Litmus(
        "main-actor-tasks",
        "Three tasks isolated to the main actor are made in order, from the pool.",
        outcomes: ["123"],
        why: "Each is put in the main actor's queue as it is made, and that queue is first in, first out."
      ) {
        let journal = MainJournal()
        let tasks = ["1", "2", "3"].map { entry in Task { @MainActor in journal.note(entry) } }
        for task in tasks { await task.value }
        return await journal.text
      },
      Litmus(
        "actor-tasks",
        "An actor makes three tasks isolated to itself.",
        outcomes: ["123"],
        why:
          "Each is put in the actor's mailbox as it is made; within one priority it is first in, first out."
      ) {
        await Desk().threeTasks()
      },
      Litmus(
        "task-before-return-from-a-call",
        "An actor makes a task isolated to itself, then awaits another actor and goes on.",
        outcomes: ["task self"],
        why: "The task is in the mailbox before the actor is left, so the return lines up behind it."
      ) {
        await Desk().taskThenCall()
      },
      Litmus(
        "main-task-before-return-from-a-call",
        "The same on the main actor.",
        outcomes: ["task self"],
        why: "The return is put in the main actor's queue, behind the task."
      ) {
        await mainTaskThenCall()
      },
      Litmus(
        "messages-from-the-main-actor",
        "Two main-actor tasks, made in order, each call another actor at once.",
        outcomes: ["12"],
        why:
          "They start in order, and a hop takes its place in the other mailbox before its own domain goes on."
      ) {
        let journal = Journal()
        let tasks = ["1", "2"].map { entry in
          Task { @MainActor in
            pause()
            await journal.note(entry)
          }
        }
        for task in tasks { await task.value }
        return await journal.text
      },
      Litmus(
        "messages-from-an-actor",
        "Two tasks isolated to one actor, made in order, each call another actor at once.",
        outcomes: ["12"],
        why: "As from the main actor: the first is in the other mailbox, or on it, before the second starts."
      ) {
        let journal = Journal()
        await Desk().forward(to: journal)
        return await journal.text
      },
      Litmus(
        "message-of-a-task-and-its-maker",
        "A pool task makes a task that calls an actor, then calls it too.",
        outcomes: ["maker task", "task maker"],
        overlapOnly: ["task maker"],
        why: "The task may run on another thread before its maker's call is in the mailbox."
      ) {
        let journal = Journal()
        let task = Task { await journal.note("task ") }
        await journal.note("maker ")
        await task.value
        return await journal.trimmed
      },
      Litmus(
        "message-of-a-detached-task-and-its-actor",
        "The same, but the maker is an actor and the task detached.",
        outcomes: ["maker task", "task maker"],
        overlapOnly: ["task maker"],
        why: "Holding its own actor does not bring the maker into the other's mailbox first."
      ) {
        let journal = Journal()
        await Desk().detachAndCall(journal)
        return await journal.trimmed
      },
      Litmus(
        "messages-from-an-actor-by-way-of-the-pool",
        "The same, but each awaits a @concurrent function that calls the other actor.",
        outcomes: ["12", "21"],
        why: "On the pool the two may overtake each other."
      ) {
        let journal = Journal()
        await Desk().forwardThroughPool(to: journal)
        return await journal.text
      },
      Litmus(
        "two-waiters-of-a-gate",
        "A gate resumes two waiters in order; each then writes to a journal.",
        outcomes: ["12", "21"],
        why: "A resumed task goes by way of the pool, whatever the order of the calls to resume()."
      ) {
        let (gate, journal) = (Gate(), Journal())
        let tasks = ["1", "2"].map { entry in
          Task {
            await gate.wait()
            await journal.note(entry)
          }
        }
        await gate.open()
        for task in tasks { await task.value }
        return await journal.text
      },
      Litmus(
        "resumed-in-order-on-one-actor",
        "Two tasks isolated to an actor wait on it; a third resumes them in their order.",
        outcomes: ["12", "21"],
        why: "resume() puts a task on the pool; its way back into the mailbox may be overtaken."
      ) {
        await Desk().resumeTwo()
      },
      Litmus(
        "two-waiters-of-a-task",
        "Two tasks await the value of a third, then write to a journal.",
        outcomes: ["12", "21"],
        why: "Whoever waits for a task is woken on the pool."
      ) {
        let (gate, journal) = (Gate(), Journal())
        let third = Task { await gate.wait() }
        let tasks = ["1", "2"].map { entry in
          Task {
            await third.value
            await journal.note(entry)
          }
        }
        await gate.open()
        for task in tasks { await task.value }
        return await journal.text
      },
    ])
}

@MainActor private func mainTaskThenCall() async -> String {
  let (journal, other) = (MainJournal(), Cell())
  let task = Task { journal.note("task ") }
  await other.add(1)
  journal.note("self")
  await task.value
  return journal.text
}

private actor Desk {
  private var text = ""
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func threeTasks() async -> String {
    let tasks = ["1", "2", "3"].map { entry in Task { note(entry) } }
    for task in tasks { await task.value }
    return text
  }

  func taskThenCall() async -> String {
    let other = Cell()
    let task = Task { note("task ") }
    await other.add(1)
    note("self")
    await task.value
    return text
  }

  func detachAndCall(_ journal: Journal) async {
    let task = Task.detached { await journal.note("task ") }
    await journal.note("maker ")
    await task.value
  }

  func forward(to journal: Journal) async {
    let tasks = ["1", "2"].map { entry in
      Task {
        note("")
        await journal.note(entry)
      }
    }
    for task in tasks { await task.value }
  }

  func forwardThroughPool(to journal: Journal) async {
    let tasks = ["1", "2"].map { entry in
      Task {
        note("")
        await noteFromPool(entry, journal)
      }
    }
    for task in tasks { await task.value }
  }

  func resumeTwo() async -> String {
    let tasks = ["1", "2"].map { entry in
      Task {
        await withCheckedContinuation { waiters.append($0) }
        note(entry)
      }
    }
    let third = Task { for waiter in waiters { waiter.resume() } }
    await third.value
    for task in tasks { await task.value }
    return text
  }

  private func note(_ entry: String) { text += entry }
}

@concurrent private func noteFromPool(_ entry: String, _ journal: Journal) async {
  pause()
  await journal.note(entry)
}
