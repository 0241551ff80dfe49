import Simulator
import Synchronization

/// A text behind a mutex, which nobody sees: it says when it is used.
final class Board: Sendable {
  private let entries = Mutex("")

  var text: String {
    Simulation.current?.declareAccess(to: "board", .read)
    return entries.withLock { $0 }
  }

  func note(_ entry: String) {
    Simulation.current?.declareAccess(to: "board")
    entries.withLock { $0 += entry }
  }
}
