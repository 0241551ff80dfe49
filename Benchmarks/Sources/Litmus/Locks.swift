import Foundation

extension LitmusTheme {
  /// Locks that a program takes by name. Two tasks share each, and "a" and "b" say whose note came when.
  static let locks = LitmusTheme(
    "Locks, conditions and semaphores", overlaps: true,
    [
      Litmus(
        "lock-taken-twice",
        "Two tasks read a number under an `NSLock`, and write one more under it again.",
        outcomes: ["1", "2"],
        overlapOnly: ["1"],
        why: "The other task may come between the two, and one change is lost."
      ) {
        let (lock, number) = (NSLock(), Guarded(0))
        await together(
          { increment(number, lock) },
          { increment(number, lock) })
        return lock.withLock { "\(number.value)" }
      },
      Litmus(
        "recursive-lock-taken-again",
        "Two tasks note before, in and after a second hold of an `NSRecursiveLock` that they have.",
        outcomes: ["a1a2a3b1b2b3", "b1b2b3a1a2a3"],
        why: "Opened once, a lock that was taken twice is still held."
      ) {
        let (lock, board) = (NSRecursiveLock(), Board())
        await together(
          { noteTwiceHeld("a", lock, board) },
          { noteTwiceHeld("b", lock, board) })
        return board.text
      },
      Litmus(
        "condition-signaled-under-its-lock",
        "A task waits for an `NSCondition` and notes; another signals with the lock in hand, opens it and notes.",
        outcomes: ["wait signal", "signal wait"],
        waits: true,
        why:
          "Either goes on first once the lock is open. The wait looks before it waits, so no signal is lost."
      ) {
        let (condition, ready, board) = (NSCondition(), Guarded(false), Board())
        await together(
          {
            wait(condition) { ready.value }
            board.note("wait ")
          },
          {
            condition.withLock {
              ready.value = true
              condition.signal()
            }
            board.note("signal ")
          })
        return board.trimmed
      },
      Litmus(
        "condition-signaled-after-its-lock",
        "A task waits for a `pthread_cond_t` and notes; another opens the lock, notes, signals, and notes again.",
        outcomes: ["w12", "1w2", "12w"],
        waits: true,
        why: "Once the lock is open, the first task may see what it waits for without any signal."
      ) {
        let (condition, ready, board) = (Condition(), Guarded(false), Board())
        await together(
          {
            condition.withLock { while !ready.value { condition.wait() } }
            board.note("w")
          },
          {
            condition.withLock { ready.value = true }
            board.note("1")
            condition.signal()
            board.note("2")
          })
        return board.text
      },
      Litmus(
        "condition-awaited-without-a-loop",
        "A task waits once for an element; another puts it there, and a third takes it if the first has waited.",
        outcomes: ["there", "gone"],
        waits: true,
        why: "The third may take the lock before the first has it again after the signal."
      ) {
        let (condition, elements, hasWaited) = (NSCondition(), Guarded(0), Guarded(false))
        let first = Task {
          condition.withLock {
            if elements.value == 0 {
              hasWaited.value = true
              condition.wait()
            }
            return elements.value == 0 ? "gone" : "there"
          }
        }
        await together(
          {
            condition.withLock {
              elements.value += 1
              condition.signal()
            }
          },
          { condition.withLock { if hasWaited.value, elements.value > 0 { elements.value -= 1 } } })
        return await first.value
      },
      Litmus(
        "condition-awaited-for-a-time",
        "A task waits for a signal for a millisecond at most; another signals once.",
        outcomes: ["signaled", "timed out"],
        timed: true,
        waits: true,
        why: "The signal may come before the wait, and is lost then."
      ) {
        let condition = Condition()
        let first = Task { condition.withLock { condition.waitShortly() ? "signaled" : "timed out" } }
        await Task { condition.withLock { condition.signal() } }.value
        return await first.value
      },
      Litmus(
        "condition-that-two-take-turns-by",
        "Two tasks note three times each, each when it is its turn, and wait for that by one `pthread_cond_t`.",
        outcomes: ["ababab"],
        waits: true,
        why: "Each waits until the other has given it its turn."
      ) {
        let (condition, turn, board) = (Condition(), Guarded(0), Board())
        await together(
          { takeTurns(0, "a", condition, turn, board) },
          { takeTurns(1, "b", condition, turn, board) })
        return board.text
      },
      Litmus(
        "semaphore-posted-between-notes",
        "A task waits for a `sem_t` and notes; another notes, posts, and notes again.",
        outcomes: ["1w2", "12w"],
        waits: true,
        why: "Who waits goes on after the post, and before or after the second note."
      ) {
        let (semaphore, board) = (Semaphore(0), Board())
        await together(
          {
            semaphore.wait()
            board.note("w")
          },
          {
            board.note("1")
            semaphore.post()
            board.note("2")
          })
        return board.text
      },
      Litmus(
        "semaphore-posted-by-another-task",
        "A task takes a `sem_t` of one, and another posts it; a third that waits for it notes in between or after.",
        outcomes: ["12w", "1w2"],
        waits: true,
        why: "A semaphore has no owner: it is free once anybody has posted."
      ) {
        let (semaphore, board) = (Semaphore(1), Board())
        semaphore.wait()
        let third = Task {
          semaphore.wait()
          board.note("w")
        }
        await Task {
          board.note("1")
          semaphore.post()
          board.note("2")
        }.value
        await third.value
        return board.text
      },
      Litmus(
        "read-write-lock-read-by-two",
        "Two tasks note twice each with a `pthread_rwlock_t` in hand that they only read by.",
        outcomes: ["a1a2b1b2", "a1b1a2b2", "a1b1b2a2", "b1a1a2b2", "b1a1b2a2", "b1b2a1a2"],
        overlapOnly: ["a1b1a2b2", "a1b1b2a2", "b1a1a2b2", "b1a1b2a2"],
        why: "Both may hold it at once."
      ) {
        let (lock, inner, board) = (ReadWriteLock(), NSLock(), Board())
        await together(
          { lock.reading { noteTwice("a", inner, board) } },
          { lock.reading { noteTwice("b", inner, board) } })
        return board.text
      },
      Litmus(
        "read-write-lock-written-by-one",
        "One task notes twice with a `pthread_rwlock_t` in hand that it writes by, and another once to read.",
        outcomes: ["w1w2r1r2", "r1r2w1w2"],
        why: "Who writes is alone."
      ) {
        let (lock, inner, board) = (ReadWriteLock(), NSLock(), Board())
        await together(
          { lock.writing { noteTwice("w", inner, board) } },
          { lock.reading { noteTwice("r", inner, board) } })
        return board.text
      },
      Litmus(
        "read-write-lock-tried",
        "A task tries to read while another writes.",
        outcomes: ["free", "busy"],
        overlapOnly: ["busy"],
        why: "Who only tries does not wait."
      ) {
        let (lock, inner) = (ReadWriteLock(), NSLock())
        let first = Task { lock.writing { inner.withLock {} } }
        let second = Task { lock.tryReading() ? "free" : "busy" }
        await first.value
        return await second.value
      },
    ])
}

private func increment(_ number: Guarded<Int>, _ lock: NSLock) {
  let seen = lock.withLock { number.value }
  let more = successor(of: seen)
  lock.withLock { number.value = more }
}

private func noteTwiceHeld(_ name: String, _ lock: NSRecursiveLock, _ board: Board) {
  lock.withLock {
    board.note(name + "1")
    lock.withLock { board.note(name + "2") }
    board.note(name + "3")
  }
}

private func wait(_ condition: NSCondition, _ isSo: () -> Bool) {
  condition.lock()
  while !isSo() { condition.wait() }
  condition.unlock()
}

private func takeTurns(
  _ own: Int, _ name: String, _ condition: Condition, _ turn: Guarded<Int>, _ board: Board
) {
  for _ in 0..<3 {
    condition.withLock {
      while turn.value != own { condition.wait() }
      board.note(name)
      turn.value = 1 - own
    }
    condition.signal()
  }
}

/// Two notes, with a lock taken in between that is none of the matter.
private func noteTwice(_ name: String, _ inner: NSLock, _ board: Board) {
  board.note(name + "1")
  inner.withLock { _ = successor(of: 0) }
  board.note(name + "2")
}
