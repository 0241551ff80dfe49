import Observation
import Simulator
import Synchronization

extension LitmusTheme {
  static let observation = LitmusTheme(
    "Observation", overlaps: true,
    [
      Litmus(
        "observers-hear-before-the-change",
        "An observer notes the value of a property that changes; then the value is noted.",
        outcomes: ["01"],
        why: "`onChange` is called before the property has its new value."
      ) {
        let (pair, board) = (Pair(), Board())
        withObservationTracking {
          _ = pair.one.value
        } onChange: {
          board.note("\(pair.one.value)")
        }
        pair.one.value = 1
        board.note("\(pair.one.value)")
        return board.text
      },
      Litmus(
        "observed-properties-changed-in-turn",
        "One task changes two properties that an observer has seen, one after the other.",
        outcomes: ["w"],
        why: "An observer hears of the first change only."
      ) {
        let (pair, board) = (Pair(), Board())
        pair.watch { board.note("w") }
        pair.one.value = 1
        pair.two.value = 1
        return board.text
      },
      Litmus(
        "observed-properties-changed-at-once",
        "Two tasks each change a property of a pair that an observer has seen.",
        outcomes: ["w", "ww"],
        overlapOnly: ["ww"],
        why: "A change asks who observes it and then calls them. After that the observer is forgotten."
      ) {
        let (pair, board) = (Pair(), Board())
        pair.watch {
          board.note("w")
          breathe()
        }
        await together({ pair.one.value = 1 }, { pair.two.value = 1 })
        return board.text
      },
      Litmus(
        "change-between-a-look-and-its-watch",
        "A task looks at a property and then observes it, while another task changes it.",
        outcomes: ["0 heard", "0 missed", "1 missed"],
        overlapOnly: ["0 missed"],
        why: "The observation begins when the look is over. Nobody hears of a change between the two."
      ) {
        let (pair, heard) = (Pair(), Board())
        let looker = Task {
          let seen = withObservationTracking {
            pair.one.value
          } onChange: {
            heard.note("heard")
          }
          return "\(seen)"
        }
        await Task { pair.one.value = 1 }.value
        let seen = await looker.value
        return "\(seen) \(heard.text.isEmpty ? "missed" : "heard")"
      },
      Litmus(
        "observed-on-the-main-actor",
        "A property of the main actor changes twice with a visit to an actor in between. The observer looks again in a task.",
        outcomes: ["12"],
        why: "The first look is in the main actor's queue before the visit begins."
      ) {
        let (cell, board) = (Cell(), Board())
        let screen = await Screen()
        await screen.watch(board)
        await Task { @MainActor in
          screen.number = 1
          await cell.add(1)
          screen.number = 2
        }.value
        await MainActor.run {}
        return board.text
      },
    ])
}

/// An observable number that may be used from anywhere. A simulation sees each use of it.
private final class Observed: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let number = Mutex(0)

  var value: Int {
    get {
      registrar.access(self, keyPath: \.value)
      Simulation.current?.declareAccess(to: "number", .read)
      return number.withLock { $0 }
    }
    set {
      registrar.withMutation(of: self, keyPath: \.value) {
        Simulation.current?.declareAccess(to: "number")
        number.withLock { $0 = newValue }
      }
    }
  }
}

private struct Pair: Sendable {
  let one = Observed()
  let two = Observed()

  /// Calls `body` when one of the two is about to change.
  func watch(_ body: @escaping @Sendable () -> Void) {
    withObservationTracking {
      _ = (one.value, two.value)
    } onChange: {
      body()
    }
  }
}

@MainActor @Observable private final class Screen {
  var number = 0

  /// Notes the values 1 and 2.
  func watch(_ board: Board) {
    withObservationTracking {
      _ = number
    } onChange: {
      Task { @MainActor in
        board.note("\(self.number)")
        if self.number < 2 { self.watch(board) }
      }
    }
  }
}
