extension LitmusTheme {
  /// Deadlines that differ lie tens of milliseconds apart: for real a machine slow enough may still turn them round,
  /// which no program should be accused of, and which virtual time rules out.
  static let timers = LitmusTheme(
    "Timers",
    [
      Litmus(
        "sleep-order",
        "Two tasks sleep, the one made first for longer.",
        outcomes: ["short long"],
        timed: true,
        why: "Timers fire in the order of their deadlines."
      ) {
        let board = Board()
        await together({ await sleep(60, then: "long ", board) }, { await sleep(5, then: "short ", board) })
        return board.trimmed
      },
      Litmus(
        "equal-deadlines",
        "Two tasks sleep equally long.",
        outcomes: ["12", "21"],
        timed: true,
        why: "Two timers due together fire in any order."
      ) {
        let board = Board()
        await together({ await sleep(5, then: "1", board) }, { await sleep(5, then: "2", board) })
        return board.text
      },
      Litmus(
        "two-clocks",
        "One task sleeps on the continuous clock, another shorter on the suspending one.",
        outcomes: ["suspending continuous"],
        timed: true,
        why: "The clocks run at one pace while the machine is awake."
      ) {
        let board = Board()
        await together(
          { await sleep(60, then: "continuous ", board) },
          {
            try? await Task.sleep(for: .milliseconds(5), clock: .suspending)
            board.note("suspending ")
          })
        return board.trimmed
      },
      Litmus(
        "two-short-sleeps",
        "One task sleeps twice, another once until in between.",
        outcomes: ["first other second"],
        timed: true,
        why: "The second sleep begins when the first has ended."
      ) {
        let board = Board()
        await together(
          {
            await sleep(5, then: "first ", board)
            await sleep(100, then: "second ", board)
          },
          { await sleep(55, then: "other ", board) })
        return board.trimmed
      },
      Litmus(
        "work-before-timer",
        "A task sleeps while another visits an actor three times.",
        outcomes: ["visits timer"],
        timed: true,
        why: "What can run has run long before the timer is due."
      ) {
        let (board, cell) = (Board(), Cell())
        await together(
          { await sleep(60, then: "timer ", board) },
          {
            for _ in 1...3 { await cell.add(1) }
            board.note("visits ")
          })
        return board.trimmed
      },
      Litmus(
        "sleep-for-nothing",
        "A task sleeps for no time at all, then notes; another notes.",
        outcomes: ["sleeper other", "other sleeper"],
        why: "A deadline that has come is no wait: the sleeper may be back before the other starts."
      ) {
        let board = Board()
        await together({ await sleep(0, then: "sleeper ", board) }, { board.note("other ") })
        return board.trimmed
      },
      Litmus(
        "timeout-that-comes-late",
        "A group takes the first of a short operation and a longer timeout, and cancels the rest.",
        outcomes: ["operation"],
        timed: true,
        why: "The shorter sleep wins, and the cancelled one ends at once."
      ) {
        await withTaskGroup { group in
          group.addTask { await slept(60) ? "timeout" : "cancelled" }
          group.addTask { await slept(5) ? "operation" : "cancelled" }
          let first = await group.next() ?? "none"
          group.cancelAll()
          return first
        }
      },
      Litmus(
        "cancelled-by-a-timer",
        "A task that sleeps for an hour is cancelled after a few milliseconds.",
        outcomes: ["cancelled"],
        timed: true,
        why: "A cancelled sleep throws at once."
      ) {
        let sleeper = Task { await slept(3_600_000) ? "slept" : "cancelled" }
        _ = await slept(5)
        sleeper.cancel()
        return await sleeper.value
      },
      Litmus(
        "timers-and-a-hop",
        "Two tasks sleep equally long, then each calls an actor twice.",
        outcomes: ["1122", "1212", "1221", "2112", "2121", "2211"],
        timed: true,
        why: "Woken together they interleave at every hop."
      ) {
        let journal = Journal()
        await together({ await noteTwice("1", journal) }, { await noteTwice("2", journal) })
        return await journal.text
      },
    ])
}

private func sleep(_ milliseconds: Int, then entry: String, _ board: Board) async {
  _ = await slept(milliseconds)
  board.note(entry)
}

/// Returns true if the sleep was not canceled.
func slept(_ milliseconds: Int) async -> Bool {
  do {
    try await Task.sleep(for: .milliseconds(milliseconds))
    return true
  } catch {
    return false
  }
}

private func noteTwice(_ entry: String, _ journal: Journal) async {
  _ = await slept(5)
  await journal.note(entry)
  pause()
  await journal.note(entry)
}
