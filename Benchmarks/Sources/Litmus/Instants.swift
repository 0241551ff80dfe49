import Dispatch

/// Suspends until `queue` has run a block that is due after so many milliseconds.
private func delayed(
  _ milliseconds: Int, on queue: DispatchQueue = .global(), _ block: @escaping @Sendable () -> Void
) async {
  await withCheckedContinuation { waiting in
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      block()
      waiting.resume()
    }
  }
}

private func serial() -> DispatchQueue { DispatchQueue(label: "serial") }

extension LitmusTheme {
  /// Several things are due at one instant. In virtual time that is exact. A real machine gets close, and any of them may
  /// come first there.
  static let instants = LitmusTheme(
    "One instant",
    [
      Litmus(
        "cancel-as-a-sleep-ends",
        "A task sleeps, and another one cancels it after a sleep of the same length.",
        outcomes: ["cancelled", "slept"],
        timed: true,
        why: "The cancel comes before the sleep ends or after it."
      ) {
        let sleeper = Task { await slept(5) ? "slept" : "cancelled" }
        _ = await slept(5)
        sleeper.cancel()
        return await sleeper.value
      },
      Litmus(
        "timeout-as-the-work-ends",
        "A group has work and a timeout of the same length, and cancels the second to end.",
        outcomes: ["done late", "done stopped", "late done", "late stopped"],
        timed: true,
        why: "Either ends first. The other one may have ended, too, before it is canceled."
      ) {
        await withTaskGroup { group in
          group.addTask { await slept(5) ? "done" : "stopped" }
          group.addTask { await slept(5) ? "late" : "stopped" }
          let first = await group.next() ?? "none"
          group.cancelAll()
          return "\(first) \(await group.next() ?? "none")"
        }
      },
      Litmus(
        "async-let-given-up-as-its-sleep-ends",
        "A child sleeps, and its parent sleeps equally long and returns without the child's result.",
        outcomes: ["cancelled", "slept"],
        timed: true,
        why: "A child that is not awaited is canceled when its scope ends."
      ) {
        let board = Board()
        await giveUpChild { board.note(await slept(5) ? "slept" : "cancelled") }
        return board.text
      },
      Litmus(
        "group-that-throws-as-a-sleep-ends",
        "Two children of a throwing group sleep equally long; then one throws.",
        outcomes: ["cancelled", "slept"],
        timed: true,
        why: "The error cancels the other child, unless that one has ended its sleep."
      ) {
        let board = Board()
        try? await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { board.note(await slept(5) ? "slept" : "cancelled") }
          group.addTask {
            _ = await slept(5)
            throw CancellationError()
          }
          for try await _ in group {}
        }
        return board.text
      },
      Litmus(
        "debounce-at-the-end-of-its-wait",
        "Three keys are pressed. Each cancels the search for the one before at the instant at which that search begins.",
        outcomes: ["123", "13", "23", "3"],
        timed: true,
        why: "A search that has begun can no longer be canceled; nothing cancels the last."
      ) {
        let debouncer = Debouncer()
        for key in "123" {
          if key != "1" { _ = await slept(5) }
          await debouncer.press("\(key)")
        }
        return await debouncer.searched
      },
      Litmus(
        "yield-as-a-stream-finishes",
        "Two tasks sleep equally long; then one yields an element to a stream, and the other finishes the stream.",
        outcomes: ["", "1"],
        timed: true,
        why: "A stream that has finished drops what comes later."
      ) {
        let (stream, source) = AsyncStream.makeStream(of: String.self)
        let reader = Task {
          var text = ""
          for await element in stream { text += element }
          return text
        }
        await together(
          {
            _ = await slept(5)
            source.yield("1")
          },
          {
            _ = await slept(5)
            source.finish()
          })
        return await reader.value
      },
      Litmus(
        "three-sleepers-until-one-instant",
        "Three tasks sleep until the same instant.",
        outcomes: ["123", "132", "213", "231", "312", "321"],
        timed: true,
        why: "Timers that are due together fire in any order."
      ) {
        let (board, instant) = (Board(), ContinuousClock.now + .milliseconds(5))
        let sleeper = { @Sendable (letter: String) in
          try? await Task.sleep(until: instant)
          board.note(letter)
        }
        await together({ await sleeper("1") }, { await sleeper("2") }, { await sleeper("3") })
        return board.text
      },
      Litmus(
        "equal-sleeps-of-two-clocks",
        "Two tasks sleep equally long, one by the continuous clock and one by the suspending clock.",
        outcomes: ["cs", "sc"],
        timed: true,
        why: "Each clock has timers of its own, and nothing orders them."
      ) {
        let board = Board()
        await together(
          {
            try? await Task.sleep(for: .milliseconds(5), clock: .continuous)
            board.note("c")
          },
          {
            try? await Task.sleep(for: .milliseconds(5), clock: .suspending)
            board.note("s")
          })
        return board.text
      },
      Litmus(
        "delayed-block-beside-a-sleep",
        "A block is due on a queue when a task ends its sleep.",
        outcomes: ["bs", "sb"],
        timed: true,
        why: "Dispatch and the task's executor know nothing of each other."
      ) {
        let board = Board()
        await together(
          { await delayed(5) { board.note("b") } },
          {
            _ = await slept(5)
            board.note("s")
          })
        return board.text
      },
      Litmus(
        "wall-clock-beside-monotonic-clock",
        "Two blocks are due together, one by the wall clock and one by the monotonic clock, each on a queue of its own.",
        outcomes: ["mw", "wm"],
        timed: true,
        why: "Each clock has timers of its own, and each queue has a thread of its own."
      ) {
        let notes = AwaitedNotes(2)
        serial().asyncAfter(wallDeadline: .now() + .milliseconds(5)) { notes.note("w") }
        serial().asyncAfter(deadline: .now() + .milliseconds(5)) { notes.note("m") }
        return await notes.text
      },
      Litmus(
        "wall-clock-beside-monotonic-clock-on-one-queue",
        "The same on one serial queue.",
        outcomes: ["mw", "wm"],
        timed: true,
        why: "Dispatch looks at what is due by one clock, and then by the other."
      ) {
        let (queue, notes) = (serial(), AwaitedNotes(2))
        queue.asyncAfter(wallDeadline: .now() + .milliseconds(5)) { notes.note("w") }
        queue.asyncAfter(deadline: .now() + .milliseconds(5)) { notes.note("m") }
        return await notes.text
      },
      Litmus(
        "one-time-for-two-blocks",
        "Two blocks are due on one serial queue, at a time that was computed once.",
        outcomes: ["12", "21"],
        timed: true,
        why: "Timers with one time have no order."
      ) {
        let (queue, notes) = (serial(), AwaitedNotes(2))
        let time = DispatchTime.now() + .milliseconds(5)
        queue.asyncAfter(deadline: time) { notes.note("1") }
        queue.asyncAfter(deadline: time) { notes.note("2") }
        return await notes.text
      },
      Litmus(
        "two-times-for-two-blocks",
        "The same, with a time that was computed for each.",
        outcomes: ["12"],
        timed: true,
        why: "The first time is the earlier one."
      ) {
        let (queue, notes) = (serial(), AwaitedNotes(2))
        queue.asyncAfter(deadline: .now() + .milliseconds(5)) { notes.note("1") }
        queue.asyncAfter(deadline: .now() + .milliseconds(5)) { notes.note("2") }
        return await notes.text
      },
      Litmus(
        "work-item-cancelled-as-it-is-due",
        "A work item is due on a queue when a task cancels it.",
        outcomes: ["1n", "n"],
        timed: true,
        why: "A canceled item does nothing if it has not begun. It notifies in any case."
      ) {
        let (queue, board) = (serial(), Board())
        // Safe: a work item may be canceled on any thread.
        nonisolated(unsafe) let item = DispatchWorkItem { board.note("1") }
        await withCheckedContinuation { waiting in
          unsafe item.notify(queue: .global()) {
            board.note("n")
            waiting.resume()
          }
          unsafe queue.asyncAfter(deadline: .now() + .milliseconds(5), execute: item)
          Task {
            _ = await slept(5)
            unsafe item.cancel()
          }
        }
        return board.text
      },
    ])
}

/// Sleeps as long as a child, which is then canceled.
private func giveUpChild(_ body: @escaping @Sendable () async -> Void) async {
  async let _: Void = body()
  _ = await slept(5)
}

/// Searches for a key when no other was pressed for five milliseconds.
private actor Debouncer {
  private var searches: [Task<String, Never>] = []

  func press(_ key: String) {
    searches.last?.cancel()
    searches.append(Task { await slept(5) ? key : "" })
  }

  /// The keys that were searched for.
  var searched: String {
    get async {
      var text = ""
      for search in searches { text += await search.value }
      return text
    }
  }
}
