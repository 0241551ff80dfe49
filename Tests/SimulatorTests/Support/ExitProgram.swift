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
