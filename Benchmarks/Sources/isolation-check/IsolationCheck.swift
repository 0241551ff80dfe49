import Foundation
import Simulator

/// Calls every operation of every fake from an actor and from the main actor, and lets each succeed, fail and be
/// cancelled: whatever becomes of it, the caller must go on where it was.
///
/// A compiler that optimizes too much can break this, so it is built with optimization. Prints what went on in the wrong
/// place, and exits with 1 if anything did.
@main enum IsolationCheck {
  static func main() {
    var wrong: [String] = []
    var calls = 0
    for operation in Operation.all {
      for (name, behavior) in Operation.behaviors {
        for caller in Caller.allCases {
          calls += 1
          var explorer = Explorer(name: "\(operation.name), \(name), from \(caller)") { simulation in
            await caller.call(operation, behavior, in: simulation)
          }
          explorer.isolation = .forks
          explorer.budget.schedules = 20
          let report = explorer.explore()
          wrong += report.violations.map { "\(report.name): \($0.message)" }
          wrong += report.warnings.map { "\(report.name): \($0)" }
        }
      }
    }
    for line in wrong { print(line) }
    print(
      wrong.isEmpty
        ? "all \(calls) calls of fakes go on where their callers were"
        : "\(wrong.count) OF \(calls) CALLS GO WRONG")
    exit(wrong.isEmpty ? 0 : 1)
  }
}

/// Where a fake is called from.
enum Caller: CaseIterable, Sendable {
  case anActor, mainActor

  func call(_ operation: Operation, _ behavior: FakeBehavior, in simulation: Simulation) async {
    let task =
      switch self {
      case .anActor: Task { await Room().call(operation, behavior) }
      case .mainActor: Task { await Screen().call(operation, behavior) }
      }
    simulation.anytime("cancel") { task.cancel() }
    await task.value
  }
}

actor Room {
  private var calls = 0

  func call(_ operation: Operation, _ behavior: FakeBehavior) async {
    await operation.perform(behavior) { [self] in preconditionIsolated() }
    calls += 1
    preconditionIsolated()
  }
}

@MainActor final class Screen {
  private var calls = 0

  nonisolated init() {}

  func call(_ operation: Operation, _ behavior: FakeBehavior) async {
    await operation.perform(behavior) { MainActor.preconditionIsolated() }
    calls += 1
    MainActor.preconditionIsolated()
  }
}
