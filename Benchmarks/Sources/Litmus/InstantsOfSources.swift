import Dispatch

private func serial(_ label: String = "serial") -> DispatchQueue { DispatchQueue(label: label) }

extension LitmusTheme {
  /// Timer sources of Dispatch, and what is due when they are.
  static let instantsOfSources = LitmusTheme(
    "One instant, with timer sources",
    [
      Litmus(
        "timer-sources-of-two-queues",
        "Two timer sources with the same deadline and a queue each.",
        outcomes: ["12", "21"],
        timed: true,
        why: "Both are due, and each queue has a thread of its own."
      ) {
        let (notes, deadline) = (AwaitedNotes(2), DispatchTime.now() + .milliseconds(5))
        let timers = ["1", "2"].map { letter in
          timer(at: deadline, on: serial(letter)) { notes.note(letter) }
        }
        let text = await notes.text
        for timer in timers { timer.cancel() }
        return text
      },
      Litmus(
        "timer-source-beside-a-reply",
        "The timer of a request is due when its reply comes, as a delayed block that cancels the timer.",
        outcomes: ["r", "rt", "tr"],
        overlapOnly: ["rt"],
        preemptionOnly: ["rt"],
        timed: true,
        why: "The handler runs before the reply, beside it, or not at all once the timer is canceled."
      ) {
        let (board, queue) = (Board(), serial("replies"))
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: serial("timer"))
        unsafe timer.schedule(deadline: .now() + .milliseconds(5))
        await withCheckedContinuation { waiting in
          unsafe timer.setEventHandler { board.note("t") }
          unsafe timer.setCancelHandler { waiting.resume() }
          unsafe timer.resume()
          queue.asyncAfter(deadline: .now() + .milliseconds(5)) {
            board.note("r")
            unsafe timer.cancel()
          }
        }
        return board.text
      },
      Litmus(
        "timer-source-cancelled-as-it-fires",
        "A timer source is due when a task cancels it.",
        outcomes: ["c", "tc"],
        timed: true,
        why: "Its queue calls the handler for an event before the handler for a cancel, or not at all."
      ) {
        let board = Board()
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: serial())
        let cancel: @Sendable () -> Void = { unsafe timer.cancel() }
        unsafe timer.schedule(deadline: .now() + .milliseconds(5))
        await withCheckedContinuation { waiting in
          unsafe timer.setEventHandler { board.note("t") }
          unsafe timer.setCancelHandler {
            board.note("c")
            waiting.resume()
          }
          unsafe timer.resume()
          Task {
            _ = await slept(5)
            cancel()
          }
        }
        return board.text
      },
      Litmus(
        "timer-source-suspended-as-it-fires",
        "A timer source is due when a task suspends it.",
        outcomes: ["", "t"],
        timed: true,
        why: "A suspended source calls no handler."
      ) {
        let board = Board()
        let source = timer(at: .now() + .milliseconds(5), on: serial()) { board.note("t") }
        _ = await slept(5)
        source.suspend()
        _ = await slept(40)
        let text = board.text
        source.cancel()
        // Dispatch frees no source that is suspended.
        source.resume()
        return text
      },
      Litmus(
        "timer-source-set-anew-as-it-fires",
        "A timer source is due when a task sets it to fire later.",
        outcomes: ["t", "tt"],
        timed: true,
        why: "A new schedule forgets an event that no handler was called for."
      ) {
        let board = Board()
        let source = timer(at: .now() + .milliseconds(5), on: serial()) { board.note("t") }
        _ = await slept(5)
        source.schedule(deadline: .now() + .milliseconds(5))
        _ = await slept(60)
        let text = board.text
        source.cancel()
        return text
      },
      Litmus(
        "timer-source-cancels-a-sleep-that-ends",
        "A timer source is due when a task ends its sleep, and cancels that task.",
        outcomes: ["cancelled", "slept"],
        timed: true,
        why: "The handler runs before the sleep ends or after it."
      ) {
        let sleeper = Task { await slept(5) ? "slept" : "cancelled" }
        let fired = AwaitedNotes(1)
        let source = timer(at: .now() + .milliseconds(5), on: serial()) {
          sleeper.cancel()
          fired.note("t")
        }
        let text = await sleeper.value
        _ = await fired.text
        source.cancel()
        return text
      },
      Litmus(
        "repeating-timer-source-beside-a-sleep",
        "A timer source fires three times, and a task ends its sleep at the second.",
        outcomes: ["tstt", "ttst"],
        timed: true,
        why: "Only the second event and the end of the sleep are due together."
      ) {
        let (board, queue) = (Board(), serial())
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: queue)
        unsafe timer.schedule(deadline: .now() + .milliseconds(60), repeating: .milliseconds(60))
        await withCheckedContinuation { waiting in
          unsafe timer.setEventHandler {
            board.note("t")
            if board.text.count(where: { $0 == "t" }) == 3 {
              unsafe timer.cancel()
              waiting.resume()
            }
          }
          unsafe timer.resume()
          Task {
            _ = await slept(120)
            board.note("s")
          }
        }
        return board.text
      },
    ])
}

/// A timer source that has begun to wait for `deadline`.
private func timer(
  at deadline: DispatchTime, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
) -> any DispatchSourceTimer {
  let timer = DispatchSource.makeTimerSource(queue: queue)
  timer.schedule(deadline: deadline)
  timer.setEventHandler(handler: handler)
  timer.resume()
  return timer
}
