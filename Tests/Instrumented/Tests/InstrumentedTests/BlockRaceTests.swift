import Foundation
import Simulator
import Testing

/// Data races with a block on at least one side. Each way in which one block comes after another is a pair of programs: in one it
/// keeps two accesses apart, and in the other it does not.
@Suite(.enabled(if: Simulation.followsAtomics)) struct `Data races with blocks` {
  @Test func `are reported where a block and a task use one dictionary`() throws {
    let report = explore("a dictionary") { _ in
      let table = Table()
      let queue = DispatchQueue(label: "q")
      queue.async { table.add() }
      async let seen = table.read()
      _ = await seen
      await drained(queue)
    }
    let race = try #require(report.violations.first)
    #expect(race.invariant == "data-race")
    #expect(race.message.contains("Table.add()"))
    #expect(race.message.contains("Table.read()"))
    #expect(race.shrinking?.reproduced == 10)
    #expect((race.shrinking?.deviations.count ?? 9) <= 2, "\(race.shrinking?.deviations ?? [])")
  }

  @Test(arguments: Twins.all) func `are reported where nothing orders the blocks`(_ twins: Twins) {
    let report = explore(twins.name) { _ in await twins.racy(Total()) }
    #expect(report.violations.map(\.invariant) == ["data-race"], "\(report.violations.map(\.message))")
  }

  /// No schedule is tried in vain: what orders the blocks is known.
  @Test(arguments: Twins.all, [Simulation.Options.Steps.asNeeded, .preemptible])
  func `are not reported where something orders the blocks`(
    _ twins: Twins, _ steps: Simulation.Options.Steps
  ) {
    let body: @Sendable (Simulation) async -> Void = { _ in await twins.ordered(Total()) }
    let report = Explorer(name: twins.name, options: .init(steps: steps), body: body).explore()
    #expect(report.violations.isEmpty, "\(report.violations.map(\.message))")
    #expect(report.untrackedSharing == nil)
  }

  private final class Table: @unchecked Sendable {
    private var items: [String: Int] = [:]
    func add() { items["a"] = 1 }
    func read() async -> Int? { items["a"] }
  }
}

/// Two programs that differ only in whether two accesses are kept apart.
struct Twins: Sendable, CustomTestStringConvertible {
  let name: String
  let ordered: @Sendable (Total) async -> Void
  let racy: @Sendable (Total) async -> Void

  init(
    _ name: String, ordered: @escaping @Sendable (Total) async -> Void,
    racy: @escaping @Sendable (Total) async -> Void
  ) {
    (self.name, self.ordered, self.racy) = (name, ordered, racy)
  }

  var testDescription: String { name }

  static let all: [Twins] = [tasks, queues, waits, operations, timers, main, sessions].flatMap { $0 }
}

/// Memory that nothing guards.
final class Total: @unchecked Sendable {
  private var value = 0
  func add() { value += 1 }
  func read() -> Int { value }
}

/// Returns when all blocks that `queue` has now have run.
func drained(_ queue: DispatchQueue) async {
  await withCheckedContinuation { continuation in
    queue.async(flags: .barrier) { continuation.resume() }
  }
}

/// Returns when all blocks of `queues` have run.
func drained(_ queues: [DispatchQueue]) async {
  for queue in queues { await drained(queue) }
}

/// Waits until `body` has called what it is given.
func called(_ body: (@escaping @Sendable () -> Void) -> Void) async {
  await withCheckedContinuation { continuation in
    body { continuation.resume() }
  }
}
