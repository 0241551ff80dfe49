extension LitmusTheme {
  static let cancellation = LitmusTheme(
    "Cancellation",
    [
      Litmus(
        "cancel-at-once",
        "A task is cancelled by the statement after the one that made it, and tells what it finds.",
        outcomes: ["cancelled", "free"],
        overlapOnly: ["free"],
        why: "In whole steps it has not started; for real it may have looked already."
      ) {
        let task = Task { state() }
        task.cancel()
        return await task.value
      },
      Litmus(
        "cancel-from-a-task",
        "One task cancels another, which tells what it finds.",
        outcomes: ["cancelled", "free"],
        why: "The two start in any order."
      ) {
        let task = Task { state() }
        await Task { task.cancel() }.value
        return await task.value
      },
      Litmus(
        "cancel-at-a-hop",
        "A task looks, visits an actor, and looks again, while another cancels it.",
        outcomes: ["free free", "free cancelled", "cancelled cancelled"],
        why: "The cancel comes after, between or before; it is never taken back."
      ) {
        let cell = Cell()
        let task = Task {
          let before = state()
          await cell.add(1)
          return "\(before) \(state())"
        }
        await Task { task.cancel() }.value
        return await task.value
      },
      Litmus(
        "cancel-is-no-stop",
        "A cancelled task writes to an actor.",
        outcomes: ["1"],
        why: "Cancelling sets a flag; who does not look goes on."
      ) {
        let cell = Cell()
        let task = Task { await cell.add(1) }
        task.cancel()
        await task.value
        return "\(await cell.value)"
      },
      Litmus(
        "cancel-while-sleeping",
        "A task that sleeps for an hour is cancelled.",
        outcomes: ["cancelled"],
        why: "A cancelled sleep throws at once, asleep already or not yet."
      ) {
        let task = Task {
          do {
            try await Task.sleep(for: .seconds(3600))
            return "slept"
          } catch {
            return "cancelled"
          }
        }
        await Task.yield()
        task.cancel()
        return await task.value
      },
      Litmus(
        "check-cancellation-then-write",
        "A task checks for cancellation, then writes, while another cancels it and writes.",
        outcomes: ["", "written"],
        why: "The check comes before or after the cancel."
      ) {
        let board = Board()
        let task = Task {
          try Task.checkCancellation()
          board.note("written")
        }
        await Task { task.cancel() }.value
        _ = await task.result
        return board.text
      },
      Litmus(
        "handler-runs-inside-cancel",
        "A task waits under a cancellation handler; cancel() is followed by a note.",
        outcomes: ["handler after"],
        why: "cancel() runs the handlers before it returns."
      ) {
        let (inside, release, board) = (Gate(), Gate(), Board())
        let task = Task {
          await withTaskCancellationHandler {
            await inside.open()
            await release.wait()
          } onCancel: {
            board.note("handler ")
          }
        }
        await inside.wait()
        task.cancel()
        board.note("after")
        await release.open()
        await task.value
        return board.text
      },
      Litmus(
        "handler-of-a-task-cancelled-before",
        "A task that is cancelled already enters a cancellation handler's scope.",
        outcomes: ["handler operation"],
        why: "The handler runs at once, before the operation."
      ) {
        let (gate, board) = (Gate(), Board())
        let task = Task {
          await gate.wait()
          await withTaskCancellationHandler {
            board.note("operation")
          } onCancel: {
            board.note("handler ")
          }
        }
        task.cancel()
        await gate.open()
        await task.value
        return board.text
      },
      Litmus(
        "handler-races-with-the-operation",
        "An operation notes, visits an actor, and notes again, while another task cancels it.",
        outcomes: ["hab", "ahb", "abh", "ab"],
        overlapOnly: ["abh"],
        preemptionOnly: ["abh"],
        why: """
          The cancel comes before the scope, during the visit or after the scope. Between the last note and the end \
          of the scope there is no suspension: only another thread gets in there.
          """
      ) {
        let (cell, board) = (Cell(), Board())
        let task = Task {
          await withTaskCancellationHandler {
            board.note("a")
            await cell.add(1)
            board.note("b")
          } onCancel: {
            board.note("h")
          }
        }
        await Task { task.cancel() }.value
        await task.value
        return board.text
      },
      Litmus(
        "children-are-cancelled-with-their-parent",
        "A cancelled task makes a child, a task and a detached task; each tells what it finds.",
        outcomes: ["cancelled free free"],
        why: "Only a child takes part in its parent's cancellation."
      ) {
        let gate = Gate()
        let parent = Task {
          await gate.wait()
          async let child = state()
          let task = Task { state() }
          let detached = Task.detached { state() }
          return "\(await child) \(await task.value) \(await detached.value)"
        }
        parent.cancel()
        await gate.open()
        return await parent.value
      },
      Litmus(
        "cancel-reaches-a-running-child",
        "A parent with a child at a gate is cancelled; the child looks after the gate.",
        outcomes: ["cancelled"],
        why: "Cancelling reaches every child before cancel() returns, waiting or running."
      ) {
        let (inside, release) = (Gate(), Gate())
        let parent = Task {
          async let child = stateAfter(inside, release)
          return await child
        }
        await inside.wait()
        parent.cancel()
        await release.open()
        return await parent.value
      },
    ])
}

private func state() -> String { Task.isCancelled ? "cancelled" : "free" }

private func stateAfter(_ inside: Gate, _ release: Gate) async -> String {
  await inside.open()
  await release.wait()
  return state()
}
