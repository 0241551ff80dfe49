import Dispatch
import Foundation

extension LitmusTheme {
  /// Two tasks use a lock, and at least one of them only tries to take it. A note with + is made with the lock in hand; one
  /// with - says that the lock was taken.
  static let triedLocks = LitmusTheme(
    "Tries of locks", overlaps: true,
    [
      Litmus(
        "lock-tried-by-two",
        "Two tasks try an `NSLock`.",
        outcomes: ["a+b+", "a+b-", "a-b+", "b+a+", "b+a-", "b-a+"],
        overlapOnly: ["a+b-", "a-b+", "b+a-", "b-a+"],
        why: "The task that finds the lock taken does not wait, so its note may come before the other's."
      ) {
        let (lock, board) = (NSLock(), Board())
        let tries = { @Sendable (name: String) in
          guard lock.try() else { return board.note(name + "-") }
          board.note(name + "+")
          breathe()
          lock.unlock()
        }
        await together({ tries("a") }, { tries("b") })
        return board.text
      },
      Litmus(
        "recursive-lock-tried-in-hand",
        "A task takes an `NSRecursiveLock` and tries it; another one tries it.",
        outcomes: ["a+b+", "a+b-", "b+a+", "b-a+"],
        overlapOnly: ["a+b-", "b-a+"],
        why: "A task that holds the lock may always take it again. For its first hold it waits."
      ) {
        let (lock, board) = (NSRecursiveLock(), Board())
        await together(
          { lock.withLock { tries("a", lock, board) } },
          { tries("b", lock, board) })
        return board.text
      },
      Litmus(
        "posix-mutex-tried-by-two",
        "Two tasks try a `pthread_mutex_t`.",
        outcomes: ["++", "+-", "-+"],
        overlapOnly: ["+-", "-+"],
        why: "At least one of them takes it. The other may find it taken."
      ) {
        let (mutex, board) = (PosixMutex(), Board())
        let tries = { @Sendable in
          let isFree = mutex.tryLock {
            board.note("+")
            breathe()
          }
          if !isFree { board.note("-") }
        }
        await together({ tries() }, { tries() })
        return board.text
      },
      Litmus(
        "read-write-lock-tried-by-readers",
        "Two tasks try to read by a `pthread_rwlock_t`.",
        outcomes: ["++"],
        why: "Readers do not keep each other out."
      ) {
        let (lock, board) = (ReadWriteLock(), Board())
        let tries = { @Sendable in
          let isFree = lock.tryReading {
            board.note("+")
            breathe()
          }
          if !isFree { board.note("-") }
        }
        await together({ tries() }, { tries() })
        return board.text
      },
      Litmus(
        "read-write-lock-tried-by-a-writer",
        "A task tries to write while another one reads.",
        outcomes: ["++", "+-", "-+"],
        overlapOnly: ["+-", "-+"],
        why: "The reader waits for the writer, and the writer finds the lock taken."
      ) {
        let (lock, board) = (ReadWriteLock(), Board())
        await together(
          {
            lock.reading {
              board.note("+")
              breathe()
            }
          },
          {
            let isFree = lock.tryWriting {
              board.note("+")
              breathe()
            }
            if !isFree { board.note("-") }
          })
        return board.text
      },
      Litmus(
        "semaphore-tried-by-two",
        "Two tasks wait for a `DispatchSemaphore` of one for no time, and signal it.",
        outcomes: ["++", "+-", "-+"],
        overlapOnly: ["+-", "-+"],
        why: "The second wait fails unless the first task has signaled before."
      ) {
        let (semaphore, board) = (DispatchSemaphore(value: 1), Board())
        let tries = { @Sendable in
          guard isTaken(semaphore) else { return board.note("-") }
          board.note("+")
          breathe()
          semaphore.signal()
        }
        await together({ tries() }, { tries() })
        return board.text
      },
      Litmus(
        "one-ticket-for-two",
        "The same without the signal.",
        outcomes: ["a+b-", "a-b+", "b+a-", "b-a+"],
        overlapOnly: ["a-b+", "b-a+"],
        why: "Exactly one wait succeeds. Its task may make its note last."
      ) {
        let (semaphore, board) = (DispatchSemaphore(value: 1), Board())
        let tries = { @Sendable (name: String) in
          board.note(name + (isTaken(semaphore) ? "+" : "-"))
        }
        await together({ tries("a") }, { tries("b") })
        semaphore.signal()
        return board.text
      },
      Litmus(
        "readers-that-are-counted",
        "Two tasks read in a room that the first one closes and the last one opens; another task tries to write there.",
        outcomes: ["rr-", "r-r", "-rr", "rr+", "r+r", "+rr"],
        overlapOnly: ["rr-", "r-r", "-rr"],
        why: "The writer finds the room taken from the first reader's count to the last one's."
      ) {
        let (room, board) = (Room(), Board())
        await together(
          { room.read { board.note("r") } },
          { room.read { board.note("r") } },
          {
            guard room.tryWriting({ board.note("+") }) else { return board.note("-") }
          })
        return board.text
      },
      Litmus(
        "two-locks-tried-in-opposite-orders",
        "Two tasks each try two locks, in opposite orders. A note says that a task had both, or found one taken.",
        outcomes: ["++", "+-", "-+", "--"],
        overlapOnly: ["+-", "-+", "--"],
        why: "Tasks that only try are never in a deadlock. Both may be refused, if each has taken one lock."
      ) {
        let (one, two, board) = (NSLock(), NSLock(), Board())
        await together(
          { board.note(triesBoth(one, two) ? "+" : "-") },
          { board.note(triesBoth(two, one) ? "+" : "-") })
        return board.text
      },
      Litmus(
        "lock-taken-within-a-limit",
        "Two tasks take an `NSLock` within seconds.",
        outcomes: ["a+b+", "b+a+"],
        why: "A lock with a time limit is waited for like any other."
      ) {
        let (lock, board) = (NSLock(), Board())
        let takes = { @Sendable (name: String) in
          guard lock.lock(before: Date(timeIntervalSinceNow: 5)) else { return board.note(name + "-") }
          board.note(name + "+")
          breathe()
          lock.unlock()
        }
        await together({ takes("a") }, { takes("b") })
        return board.text
      },
      Litmus(
        "lock-held-longer-than-the-limit",
        "A thread holds an `NSLock` for 20 milliseconds, and another one waits for it at most 5.",
        outcomes: ["-"],
        timed: true,
        waits: true,
        why: "The wait ends at its limit."
      ) {
        let (lock, ends, board) = (NSLock(), AwaitedNotes(2), Board())
        let isHeld = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          lock.lock()
          isHeld.signal()
          Thread.sleep(forTimeInterval: 0.02)
          lock.unlock()
          ends.note("h")
        }
        Thread.detachNewThread {
          isHeld.wait()
          let isTaken = lock.lock(before: Date(timeIntervalSinceNow: 0.005))
          board.note(isTaken ? "+" : "-")
          if isTaken { lock.unlock() }
          ends.note("w")
        }
        _ = await ends.text
        return board.text
      },
    ])
}

private func tries(_ name: String, _ lock: NSRecursiveLock, _ board: Board) {
  guard lock.try() else { return board.note(name + "-") }
  board.note(name + "+")
  breathe()
  lock.unlock()
}

private func triesBoth(_ first: NSLock, _ second: NSLock) -> Bool {
  guard first.try() else { return false }
  defer { first.unlock() }
  breathe()
  guard second.try() else { return false }
  second.unlock()
  return true
}

/// Asynchronous code may not wait itself.
private func isTaken(_ semaphore: DispatchSemaphore) -> Bool { semaphore.wait(timeout: .now()) == .success }

/// A room for any number of readers or one writer: a count of the readers under a lock, and a semaphore for the room.
private final class Room: Sendable {
  private let (lock, readers, room) = (NSLock(), Guarded(0), DispatchSemaphore(value: 1))

  func read(_ body: () -> Void) {
    lock.withLock {
      readers.value += 1
      if readers.value == 1 { room.wait() }
    }
    body()
    breathe()
    lock.withLock {
      readers.value -= 1
      if readers.value == 0 { room.signal() }
    }
  }

  /// Runs `body` and returns true if the room is free.
  func tryWriting(_ body: () -> Void) -> Bool {
    guard isTaken(room) else { return false }
    body()
    breathe()
    room.signal()
    return true
  }
}
