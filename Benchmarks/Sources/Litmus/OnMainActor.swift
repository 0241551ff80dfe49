/// A text that the main actor owns.
@MainActor final class MainJournal {
  private(set) var text = ""

  func note(_ entry: String) { text += entry }
}

extension LitmusTheme {
  static let mainActor = LitmusTheme(
    "Main actor",
    [
      Litmus(
        "main-lost-update",
        "Two pool tasks read a number of the main actor, then write it back plus one.",
        outcomes: ["1", "2"],
        why: "The main actor is left between read and write."
      ) {
        let counter = MainCounter()
        await together({ await increment(counter) }, { await increment(counter) })
        return "\(await counter.value)"
      },
      Litmus(
        "main-run-twice",
        "Two tasks read in one MainActor.run and write in another.",
        outcomes: ["1", "2"],
        why: "Each run is a visit of its own."
      ) {
        let counter = MainCounter()
        await together({ await runTwice(counter) }, { await runTwice(counter) })
        return "\(await counter.value)"
      },
      Litmus(
        "main-run-once",
        "Two tasks read and write in one MainActor.run.",
        outcomes: ["2"],
        why: "The body of a run is one step."
      ) {
        let counter = MainCounter()
        await together(
          { await MainActor.run { counter.value += 1 } }, { await MainActor.run { counter.value += 1 } })
        return "\(await counter.value)"
      },
      Litmus(
        "main-awaits-main",
        "A main-actor function awaits other main-actor functions between its read and its write.",
        outcomes: ["2"],
        why: "From the main actor to itself is no hop."
      ) {
        let counter = MainCounter()
        await together({ await counter.addByOwnMethods() }, { await counter.addByOwnMethods() })
        return "\(await counter.value)"
      },
      Litmus(
        "main-yields",
        "A main-actor function yields between its read and its write.",
        outcomes: ["1", "2"],
        why: "A yield lets the next job of the main actor run."
      ) {
        let counter = MainCounter()
        await together({ await counter.addThroughYield() }, { await counter.addThroughYield() })
        return "\(await counter.value)"
      },
      Litmus(
        "main-asks-an-actor",
        "A main-actor function awaits an actor between its read and its write.",
        outcomes: ["1", "2"],
        why: "The main actor is free while the actor answers."
      ) {
        let counter = MainCounter()
        let cell = Cell()
        await together({ await counter.add(asking: cell) }, { await counter.add(asking: cell) })
        return "\(await counter.value)"
      },
      Litmus(
        "main-task-then-statement",
        "The main actor makes a task of its own, then goes on without suspending.",
        outcomes: ["statement task"],
        why: "The task needs the main actor, which its maker holds."
      ) {
        await taskThenStatement()
      },
      Litmus(
        "main-two-callers",
        "Two pool tasks each run a body on the main actor.",
        outcomes: ["12", "21"],
        why: "The tasks reach the main actor's queue in any order."
      ) {
        let journal = MainJournal()
        await together({ await journal.note("1") }, { await journal.note("2") })
        return await journal.text
      },
      Litmus(
        "main-assume-isolated",
        "A task of the main actor awaits a nonisolated(nonsending) function that assumes the main actor.",
        outcomes: ["isolated"],
        why: "Such a function stays where its caller stands."
      ) {
        await Task { @MainActor in await assumedIsolation() }.value
      },
    ])
}

@MainActor private final class MainCounter {
  var value = 0

  func addByOwnMethods() async {
    let seen = await read()
    await write(seen + 1)
  }

  func addThroughYield() async {
    let seen = value
    await Task.yield()
    value = seen + 1
  }

  func add(asking cell: Cell) async {
    let seen = value
    await cell.add(1)
    value = seen + 1
  }

  private func read() async -> Int { value }

  private func write(_ value: Int) async { self.value = value }
}

private func increment(_ counter: MainCounter) async {
  let seen = await counter.value
  let next = successor(of: seen)
  await MainActor.run { counter.value = next }
}

private func runTwice(_ counter: MainCounter) async {
  let seen = await MainActor.run { counter.value }
  pause()
  await MainActor.run { counter.value = seen + 1 }
}

@MainActor private func taskThenStatement() async -> String {
  let journal = MainJournal()
  let task = Task { journal.note("task") }
  journal.note("statement ")
  await task.value
  return journal.text
}

nonisolated(nonsending) private func assumedIsolation() async -> String { assumed() }

private func assumed() -> String {
  MainActor.assumeIsolated { "isolated" }
}
