import Foundation
import Simulator
import Testing

/// A program that leaves the simulation, written in one line: that line is where it is seen.
struct ExitProgram: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The function by which it leaves.
  let exit: String
  let line: Int
  let body: @Sendable (Simulation) async throws -> Void

  init(
    _ name: String, _ exit: String, line: Int = #line,
    _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) {
    testDescription = name
    self.exit = exit
    self.line = line
    self.body = body
  }

  /// What a search of it reports.
  func explored() -> Explorer.Report {
    var explorer = Explorer(name: testDescription, body: body)
    explorer.budget.schedules = 20
    explorer.seed = 7
    return explorer.explore()
  }
}

/// Calls what asynchronous code may not call itself.
@inline(never) func here(_ body: () throws -> Void) rethrows { try body() }

/// What a thread leaves for another one, without a lock.
final class Mailslot: @unchecked Sendable {
  // @unchecked Sendable because the work that would write it is never run.
  var isFilled = false
}

/// A thread that waits for work, without being told of it: it looks.
final class LookingThread: Sendable {
  private struct State {
    var work: [@Sendable () -> Void] = []
    var isBusy = false
    var isOver = false
  }

  // A lock that the thread sanitizer sees: a contended `Mutex` is invisible to it.
  private let lock = NSLock()
  // Safe: only `change` reaches it.
  private nonisolated(unsafe) var state = State()

  init() {
    Thread.detachNewThread { [self] in
      while !change({ $0.isOver }) {
        Thread.sleep(forTimeInterval: 0.02)
        let work = change { state in
          defer { state.work = [] }
          state.isBusy = !state.work.isEmpty
          return state.work
        }
        work.forEach { $0() }
        change { $0.isBusy = false }
      }
    }
  }

  var isIdle: Bool { change { $0.work.isEmpty && !$0.isBusy } }

  func submit(_ item: @escaping @Sendable () -> Void) { change { $0.work.append(item) } }
  func end() { change { $0.isOver = true } }

  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return unsafe body(&state)
  }
}
