import Simulator
import Synchronization

extension LitmusTheme {
  static let unowned = LitmusTheme(
    "State that no actor owns",
    [
      Litmus(
        "mutex-read-suspend-write",
        "Two pool tasks read under a mutex, yield, and write under it.",
        outcomes: ["1", "2"],
        why: "The mutex guards each access, not the pair."
      ) {
        let number = Number()
        await together(
          {
            let seen = number.value
            await Task.yield()
            number.write(seen + 1)
          },
          {
            let seen = number.value
            await Task.yield()
            number.write(seen + 1)
          })
        return "\(number.value)"
      },
      Litmus(
        "mutex-read-write",
        "The same without the yield.",
        outcomes: ["1", "2"],
        overlapOnly: ["1"],
        preemptionOnly: ["1"],
        why: "Each pair lies in one step, and only steps that overlap in real time mix them."
      ) {
        let number = Number()
        await together({ number.write(number.value + 1) }, { number.write(number.value + 1) })
        return "\(number.value)"
      },
      Litmus(
        "mutex-add",
        "Two pool tasks add under a mutex.",
        outcomes: ["2"],
        why: "The mutex guards the whole of it."
      ) {
        let number = Number()
        await together({ number.add(1) }, { number.add(1) })
        return "\(number.value)"
      },
      Litmus(
        "yields-interleave",
        "Two tasks each note, yield, and note again.",
        outcomes: ["abcd", "acbd", "acdb", "cabd", "cadb", "cdab"],
        why: "Each keeps its own order and yields to the other, or not."
      ) {
        let board = Board()
        await together(
          {
            board.note("a")
            await Task.yield()
            board.note("b")
          },
          {
            board.note("c")
            await Task.yield()
            board.note("d")
          })
        return board.text
      },
      Litmus(
        "task-then-statement",
        "A pool task makes a task; the task and the maker's next statement each note.",
        outcomes: ["maker task", "task maker"],
        overlapOnly: ["task maker"],
        why: "The task may start at once on another thread, before its maker's next statement."
      ) {
        let board = Board()
        let task = Task { board.note("task ") }
        board.note("maker ")
        await task.value
        return board.trimmed
      },
      Litmus(
        "actor-then-statement",
        "An actor makes a detached task and goes on; both note.",
        outcomes: ["maker task", "task maker"],
        overlapOnly: ["task maker"],
        why: "Holding the actor does not hold what it does not own."
      ) {
        let board = Board()
        await Maker().make(board)
        return board.trimmed
      },
      Litmus(
        "call-then-statement",
        "A task calls an actor, which notes; the caller notes when it is back.",
        outcomes: ["actor caller"],
        why: "The caller waits for the answer."
      ) {
        let board = Board()
        await Maker().note(board)
        board.note("caller")
        return board.text
      },
    ])
}

private final class Number: Sendable {
  private let number = Mutex(0)

  var value: Int {
    Simulation.current?.declareAccess(to: "number", .read)
    return number.withLock { $0 }
  }

  func write(_ value: Int) {
    Simulation.current?.declareAccess(to: "number")
    number.withLock { $0 = value }
  }

  func add(_ amount: Int) {
    Simulation.current?.declareAccess(to: "number")
    number.withLock { $0 += amount }
  }
}

private actor Maker {
  func make(_ board: Board) async {
    let task = Task.detached { board.note("task ") }
    board.note("maker ")
    await task.value
  }

  func note(_ board: Board) { board.note("actor ") }
}
