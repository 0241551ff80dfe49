extension LitmusTheme {
  static let immediate = LitmusTheme(
    "Task.immediate",
    [
      Litmus(
        "immediate-first-part",
        "An immediate task notes, then its maker does.",
        outcomes: ["task maker"],
        why: "Up to its first suspension it runs inside its maker's step."
      ) {
        let board = Board()
        let task = Task.immediate { board.note("task ") }
        board.note("maker")
        await task.value
        return board.text
      },
      Litmus(
        "immediate-second-part",
        "An immediate task notes, yields and notes; its maker notes in between.",
        outcomes: ["123", "132"],
        overlapOnly: ["132"],
        why:
          "After its yield it is on the pool and may run on another thread, before its maker's next statement."
      ) {
        let board = Board()
        let task = Task.immediate {
          board.note("1")
          await Task.yield()
          board.note("3")
        }
        board.note("2")
        await task.value
        return board.text
      },
      Litmus(
        "immediate-on-an-actor",
        "The same on an actor, with notes that the actor owns.",
        outcomes: ["123"],
        why: "The second part needs the actor, which the maker holds."
      ) {
        await Author().writeWithImmediate()
      },
      Litmus(
        "immediate-on-the-main-actor",
        "The same on the main actor.",
        outcomes: ["123"],
        why: "The second part needs the main actor, which the maker holds."
      ) {
        await writeWithImmediateOnMain()
      },
      Litmus(
        "immediate-calls",
        "Two immediate tasks, made in one step on the pool, each call an actor.",
        outcomes: ["12"],
        why: """
          An immediate task gives up its maker's thread at a hop, so it takes its place in the mailbox before its \
          maker's next statement.
          """
      ) {
        let journal = Journal()
        let first = Task.immediate { await journal.note("1") }
        let second = Task.immediate { await journal.note("2") }
        await first.value
        await second.value
        return await journal.text
      },
      Litmus(
        "immediate-lost-update",
        "An immediate task and its maker read an actor's number, then write it back plus one.",
        outcomes: ["1", "2"],
        why: "Each leaves the actor between read and write."
      ) {
        let cell = Cell()
        let task = Task.immediate { await increment(cell) }
        await increment(cell)
        await task.value
        return "\(await cell.value)"
      },
    ])
}

private func increment(_ cell: Cell) async {
  let seen = await cell.value
  await cell.write(successor(of: seen))
}

private actor Author {
  private var text = ""

  func writeWithImmediate() async -> String {
    let task = Task.immediate {
      text += "1"
      await Task.yield()
      text += "3"
    }
    text += "2"
    await task.value
    return text
  }
}

@MainActor private func writeWithImmediateOnMain() async -> String {
  let journal = MainJournal()
  let task = Task.immediate {
    journal.note("1")
    await Task.yield()
    journal.note("3")
  }
  journal.note("2")
  await task.value
  return journal.text
}
