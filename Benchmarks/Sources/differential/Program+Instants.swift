import Simulator
import SimulatorStrategies

extension Program {
  /// The program number `number` of those whose sleeps end together.
  init(instantNumber number: UInt64) {
    var drawer = InstantDrawer(number)
    var program = drawer.program(number)
    while !program.coincides || program.operations > 7 {
      program = drawer.program(number)
    }
    program.hasCoincidences = true
    self = program
  }

  /// Whether two of its tasks wait for an instant, and what one does then may end the other's wait.
  private var coincides: Bool {
    let waits = tasks.count { $0.contains(\.isTimed) }
    return waits > 1 && tasks.contains(where: \.cancelsLater)
      || tasks.contains { $0.contains { $0.bodies.count { $0.contains(\.isTimed) } > 1 } }
  }
}

extension Program.Body {
  /// Whether it cancels a task, or ends, after a wait of its own.
  fileprivate var cancelsLater: Bool {
    guard let wait = operations.firstIndex(where: \.kind.isTimed) else { return false }
    return operations[wait...].contains {
      switch $0.kind {
      case .cancel, .cancelAfter: true
      default: false
      }
    }
  }
}

/// Draws a program of sleeps, deadlines, delayed blocks and cancels that fall on the first or the second instant.
private struct InstantDrawer {
  private var random: Strategies.SplitMix64
  private var nextID = 0
  private var kinds: [Int] = []
  private var task = 0
  private var count = 2

  init(_ number: UInt64) { random = Strategies.SplitMix64(seed: number, stream: 9) }

  private static let nesting = 14
  private static let palettes: [[Int]] = [
    Array(0..<19),
    [0, 1, 4, 5, 11],
    [0, 2, 4, 6, 12],
    [4, 5, 6, 10, 11],
    [0, 14, 14, 15, 16, 7],
    [1, 3, 4, 5, 7, 8, 10],
    [2, 4, 5, 9, 13, 14],
  ]

  mutating func program(_ number: UInt64) -> Program {
    let palette = Self.palettes[random.below(Self.palettes.count)]
    kinds = [random.below(4)] + (0..<2 + random.below(2)).map { _ in palette[random.below(palette.count)] }
    count = random.below(3) == 0 ? 3 : 2
    let tasks = (0..<count).map { index in
      task = index
      return body(count == 2 ? 3 : 2, depth: 0)
    }
    return Program(number: number, tasks: tasks, priorities: tasks.map { _ in nil }, closing: [])
  }

  private mutating func body(_ most: Int, depth: Int) -> Program.Body {
    nextID += 1
    let id = nextID
    return Program.Body(id: id, operations: (0..<1 + random.below(most)).map { _ in drawn(depth: depth) })
  }

  private mutating func drawn(depth: Int) -> Program.Operation {
    nextID += 1
    let id = nextID
    let number = kinds[random.below(kinds.count)]
    let isNesting = number >= Self.nesting
    return Program.Operation(
      id: id,
      kind: isNesting && depth < 1 ? nested(number, depth: depth + 1) : plain(number % Self.nesting))
  }

  private mutating func plain(_ number: Int) -> Program.Kind {
    let other = (task + 1 + random.below(count - 1)) % count
    switch number {
    case 0, 1: return .sleep(units: 1 + number)
    case 2, 3: return .sleepTo(instant: number - 1)
    case 4, 5: return .cancel(task: other)
    case 6: return .cancelAfter(units: 1 + random.below(2), task: other)
    case 7: return .note("\(task)")
    case 8: return .look
    case 9: return .isCancelled
    case 10: return .isOtherCancelled(task: other)
    case 11: return .sleepNotingCancel(task: task)
    case 12: return .add(cell: 0)
    default: return task > 0 ? .value(task: random.below(task)) : .read(cell: 0)
    }
  }

  private mutating func nested(_ number: Int, depth: Int) -> Program.Kind {
    switch number {
    // A time limit, of which the first to end cancels the other.
    case 14, 15: return .group(.first, [body(2, depth: depth), body(1, depth: depth)])
    case 16: return .group(.bodyCancels, [body(1, depth: depth), body(1, depth: depth)])
    case 17: return .group(.throwing, [body(1, depth: depth), body(1, depth: depth)])
    default: return .child(body(2, depth: depth), isAwaited: random.below(2) == 0)
    }
  }
}
