import Foundation
import Simulator
import Synchronization
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

  private let state = Mutex(State())

  init() {
    Thread.detachNewThread { [self] in
      while !state.withLock({ $0.isOver }) {
        Thread.sleep(forTimeInterval: 0.02)
        let work = state.withLock { state in
          defer { state.work = [] }
          state.isBusy = !state.work.isEmpty
          return state.work
        }
        work.forEach { $0() }
        state.withLock { $0.isBusy = false }
      }
    }
  }

  var isIdle: Bool { state.withLock { $0.work.isEmpty && !$0.isBusy } }

  func submit(_ item: @escaping @Sendable () -> Void) { state.withLock { $0.work.append(item) } }
  func end() { state.withLock { $0.isOver = true } }
}
