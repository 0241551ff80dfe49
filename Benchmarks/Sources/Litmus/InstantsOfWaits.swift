import Dispatch
import Foundation

extension LitmusTheme {
  /// A step waits for a time, and what it waits for comes as the time ends.
  static let instantsOfWaits = LitmusTheme(
    "One instant, with waits", overlaps: true,
    [
      Litmus(
        "semaphore-signaled-as-its-wait-ends",
        "A task waits for a semaphore, and another one signals as the wait times out. Then the semaphore is tried.",
        outcomes: ["in time, none left", "too late, one left"],
        timed: true,
        waits: true,
        why: "The signal ends the wait or is kept, but never both."
      ) {
        let semaphore = DispatchSemaphore(value: 0)
        let waiter = Task { isSignaled(semaphore, within: 5) ? "in time" : "too late" }
        _ = await slept(5)
        semaphore.signal()
        return "\(await waiter.value), \(isSignaled(semaphore, within: 0) ? "one" : "none") left"
      },
      Litmus(
        "condition-signaled-as-its-wait-ends",
        "A task waits for a `pthread_cond_t` for a millisecond, and another one signals after a millisecond.",
        outcomes: ["signaled", "timed out"],
        timed: true,
        waits: true,
        why: "The signal ends the wait, or comes too late and is lost."
      ) {
        let condition = Condition()
        let waiter = Task { condition.withLock { condition.waitShortly() ? "signaled" : "timed out" } }
        _ = await slept(1)
        condition.withLock { condition.signal() }
        return await waiter.value
      },
      Litmus(
        "work-item-awaited-as-it-ends",
        "A work item is due on a queue when the wait of a task for it times out.",
        outcomes: ["done", "too late"],
        timed: true,
        waits: true,
        why: "The item may be done before the time is up or after."
      ) {
        // Safe: a work item may be awaited on any thread.
        nonisolated(unsafe) let item = DispatchWorkItem {}
        let waiter = Task { unsafe isDone(item, within: 5) ? "done" : "too late" }
        unsafe DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5), execute: item)
        return await waiter.value
      },
      Litmus(
        "group-emptied-as-its-wait-ends",
        "A task waits for a group, and another one leaves the group as the wait times out.",
        outcomes: ["emptied", "timed out"],
        timed: true,
        waits: true,
        why: "The group may be empty before the time is up or after."
      ) {
        let group = DispatchGroup()
        group.enter()
        let waiter = Task { isEmptied(group, within: 5) ? "emptied" : "timed out" }
        _ = await slept(5)
        group.leave()
        return await waiter.value
      },
      Litmus(
        "timer-due-as-its-run-loop-ends",
        "A thread runs its run loop until the moment at which the loop's timer is due, and then notes the end.",
        outcomes: ["-", "t-"],
        timed: true,
        waits: true,
        why: "The end of the loop is a timer of its own, and either may come first."
      ) {
        let board = Board()
        await Litmus.threads([
          {
            let end = Date() + 0.003
            let timer = Timer(fire: end, interval: 0, repeats: false) { _ in board.note("t") }
            RunLoop.current.add(timer, forMode: .default)
            _ = RunLoop.current.run(mode: .default, before: end)
            board.note("-")
            timer.invalidate()
          }
        ])
        return board.text
      },
      Litmus(
        "thread-and-task-sleep-equally-long",
        "A thread sleeps in the kernel, and a task sleeps equally long.",
        outcomes: ["12", "21"],
        timed: true,
        waits: true,
        why: "The kernel wakes the thread, and Dispatch the task."
      ) {
        let notes = AwaitedNotes(2)
        Thread.detachNewThread {
          usleep(5_000)
          notes.note("1")
        }
        _ = await slept(5)
        notes.note("2")
        return await notes.text
      },
      Litmus(
        "two-waits-and-one-signal-end-together",
        "Two threads wait for a semaphore equally long, and a delayed block signals as they time out.",
        outcomes: ["a", "b", "left"],
        timed: true,
        waits: true,
        why: "One signal ends one wait, or is kept if both are over."
      ) {
        let (semaphore, board, ends) = (DispatchSemaphore(value: 0), Board(), AwaitedNotes(3))
        for letter in ["a", "b"] {
          Thread.detachNewThread {
            if isSignaled(semaphore, within: 5) { board.note(letter) }
            ends.note(letter)
          }
        }
        DispatchQueue(label: "signals").asyncAfter(deadline: .now() + .milliseconds(5)) {
          semaphore.signal()
          ends.note("s")
        }
        _ = await ends.text
        if isSignaled(semaphore, within: 0) { board.note("left") }
        return board.text
      },
    ])
}

// Asynchronous code may not wait itself.

private func isSignaled(_ semaphore: DispatchSemaphore, within milliseconds: Int) -> Bool {
  semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
}

private func isDone(_ item: DispatchWorkItem, within milliseconds: Int) -> Bool {
  item.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
}

private func isEmptied(_ group: DispatchGroup, within milliseconds: Int) -> Bool {
  group.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
}
