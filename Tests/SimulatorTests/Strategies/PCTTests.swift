import Simulator
import SimulatorStrategies
import Testing

/// Two tasks that a bug wants to take turns: so many orderings are needed as there are turns.
private actor Turns {
  private var expected: [Int]
  private(set) var isBroken = false

  init(_ turns: Int) { expected = (0..<turns).map { $0 % 2 } }

  func step(_ task: Int) {
    if let next = expected.first, next == task { expected.removeFirst() } else { expected = [-1] }
    if expected.isEmpty { isBroken = true }
  }
}

@Suite struct `Probabilistic concurrency testing` {
  @Test(arguments: [1, 2, 3])
  func `finds a bug of a depth at least as often as promised`(_ depth: Int) {
    var explorer = Explorer(name: "turns") { simulation in
      let turns = Turns(depth)
      simulation.always("nobody takes turns") { turns.assumeIsolated { !$0.isBroken } }
      await withDiscardingTaskGroup { group in
        for task in 0..<2 {
          group.addTask {
            for _ in 0..<3 { await turns.step(task) }
          }
        }
      }
    }
    explorer.strategy = Strategies.PCT(depth: depth)
    explorer.budget.violationsToFind = nil
    explorer.budget.schedules = 8_000
    let report = explorer.explore()
    let tape = Tapes()
    explorer.strategy = Strategies.NaturalOrder()
    explorer.record(into: tape)
    explorer.budget.schedules = 1
    _ = explorer.explore()
    let choices = tape.inOrder.first?.count ?? 0
    // Three tasks, the root among them.
    let promised = (1..<depth).reduce(report.schedules / 3) { count, _ in count / choices }
    #expect(report.failures >= promised * 8 / 10, "\(report.failures) of \(promised), \(choices) choices")
    #expect(promised > 5)
  }

  @Test func `an await is no yield: tasks that only await keep their priority`() {
    let tapes = Tapes()
    var explorer = Explorer(name: "one after the other") { _ in
      let (x, y) = (Cell(), Cell())
      await withDiscardingTaskGroup { group in
        for cell in [x, y] {
          group.addTask { for _ in 0..<5 { await increment(cell) } }
        }
      }
    }
    explorer.strategy = Strategies.PCT(depth: 1)
    explorer.record(into: tapes)
    explorer.budget.schedules = 200
    _ = explorer.explore()
    // With no change of priority one of the two runs to its end first: two orders, and the natural one.
    #expect(tapes.tapes.count <= 3)
  }
}
