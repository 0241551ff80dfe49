import Simulator
import SimulatorStrategies

/// Draws a program of two or three tasks. What an operation is, `kind` says by its number in a palette.
struct TaskDrawer {
  typealias Kind = (_ drawer: inout TaskDrawer, _ number: Int, _ depth: Int) -> Program.Kind

  var random: Strategies.SplitMix64
  /// The task that is drawn, and how many there are.
  private(set) var task = 0
  private(set) var count = 2
  private var nextID = 0
  private let kinds: [Int]
  private let kind: Kind

  init(_ random: Strategies.SplitMix64, kinds: [Int], _ kind: @escaping Kind) {
    (self.random, self.kinds, self.kind) = (random, kinds, kind)
  }

  /// One task of the others.
  var other: Int { mutating get { (task + 1 + random.below(count - 1)) % count } }

  mutating func program(_ number: UInt64) -> Program {
    count = random.below(3) == 0 ? 3 : 2
    let tasks = (0..<count).map { index in
      task = index
      return body(count == 2 ? 3 : 2, depth: 0)
    }
    return Program(number: number, tasks: tasks, priorities: tasks.map { _ in nil }, closing: [])
  }

  mutating func body(_ most: Int, depth: Int) -> Program.Body {
    nextID += 1
    let id = nextID
    return Program.Body(id: id, operations: (0..<1 + random.below(most)).map { _ in drawn(depth: depth) })
  }

  private mutating func drawn(depth: Int) -> Program.Operation {
    nextID += 1
    let id = nextID
    return Program.Operation(id: id, kind: kind(&self, kinds[random.below(kinds.count)], depth))
  }
}
