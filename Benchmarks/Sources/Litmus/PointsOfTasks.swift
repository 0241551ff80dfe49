import Simulator
import Synchronization

extension LitmusTheme {
  /// The same for tasks, groups and streams.
  static let pointsOfTasks = LitmusTheme(
    "What makes a task runnable", overlaps: true,
    [
      Litmus(
        "children-that-are-cancelled",
        "A group cancels two children that sleep for an hour; then a note.",
        outcomes: ["12m", "1m2", "21m", "2m1", "m12", "m21"],
        overlapOnly: ["12m", "1m2", "21m", "2m1"],
        why: "A canceled sleep ends at once, before or after the next statement of the group."
      ) {
        let board = Board()
        await withTaskGroup { group in
          for letter in ["1", "2"] {
            group.addTask {
              _ = await slept(3_600_000)
              board.note(letter)
            }
          }
          await Task.yield()
          group.cancelAll()
          board.note("m")
        }
        return board.text
      },
      Litmus(
        "stream-reader-beside-its-source",
        "An element is yielded to a stream, then a note, another element, and a note.",
        outcomes: ["1m2n", "1mn2", "m12n", "m1n2", "mn12"],
        overlapOnly: ["1m2n", "1mn2", "m12n", "m1n2"],
        why: "The reader may take an element as soon as it is there."
      ) {
        let (board, (stream, source)) = (Board(), AsyncStream.makeStream(of: String.self))
        let reader = Task { for await element in stream { board.note(element) } }
        source.yield("1")
        board.note("m")
        source.yield("2")
        board.note("n")
        source.finish()
        await reader.value
        return board.text
      },
      Litmus(
        "handler-that-opens-a-door",
        """
        A task waits under a cancellation handler and notes 2. Another one cancels it and notes m; the handler notes 1, \
        ends the wait and notes h.
        """,
        outcomes: ["12hm", "1h2m", "1hm2"],
        overlapOnly: ["12hm", "1h2m"],
        preemptionOnly: ["12hm"],
        why: """
          cancel() runs the handlers before it returns, and a task that one of them resumes goes on when all have \
          ended. A task that finds the door open has not been resumed: it may note 2 at once.
          """
      ) {
        let (inside, door, board) = (Gate(), Door(), Board())
        let task = Task {
          await withTaskCancellationHandler {
            await inside.open()
            await door.wait()
            board.note("2")
          } onCancel: {
            board.note("1")
            door.open()
            board.note("h")
          }
        }
        await inside.wait()
        task.cancel()
        board.note("m")
        await task.value
        return board.text
      },
    ])
}

/// Holds one waiter until it is opened, from anywhere. A simulation sees each use of it.
private final class Door: Sendable {
  private enum State {
    case closed
    case awaited(CheckedContinuation<Void, Never>)
    case open
  }

  private let state = Mutex(State.closed)

  func wait() async {
    await withCheckedContinuation { waiting in
      if isOpen(orKeeps: waiting) { waiting.resume() }
    }
  }

  func open() {
    Simulation.current?.declareAccess(to: "door")
    let waiter = state.withLock { state in
      defer { state = .open }
      if case .awaited(let waiter) = state { return waiter as CheckedContinuation? }
      return nil
    }
    waiter?.resume()
  }

  private func isOpen(orKeeps waiter: CheckedContinuation<Void, Never>) -> Bool {
    Simulation.current?.declareAccess(to: "door")
    return state.withLock { state in
      if case .open = state { return true }
      state = .awaited(waiter)
      return false
    }
  }
}
