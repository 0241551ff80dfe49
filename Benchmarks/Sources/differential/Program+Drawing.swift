import Simulator
import SimulatorStrategies

extension Program {
  /// The program number `number`.
  init(number: UInt64) {
    var drawer = Drawer(number)
    var program = drawer.program(number)
    while program.size > Self.maximumOperations { program = drawer.program(number) }
    self = program
  }
}

extension Program {
  /// So few that the reduced search comes to its end, as a rule.
  private static let maximumOperations = 7

  private var size: Int { tasks.reduce(0) { $0 + $1.sum { _ in 1 } } }
}

/// Draws a program, of few kinds of things, so that its tasks get into each other's way.
private struct Drawer {
  private var random: Strategies.SplitMix64
  private var nextID = 0
  private var kinds: [Int] = []
  private var task = 0
  private var count = 2

  init(_ number: UInt64) { random = Strategies.SplitMix64(seed: number, stream: 1) }

  mutating func program(_ number: UInt64) -> Program {
    let palette = Self.palettes[random.below(Self.palettes.count)]
    kinds = (0..<2 + random.below(4)).map { _ in palette[random.below(palette.count)] }
    count = random.below(3) == 0 ? 3 : 2
    let tasks = (0..<count).map { index in
      task = index
      return body(count == 2 ? 3 : 2, depth: 0)
    }
    let hasPriorities = random.below(4) == 0
    let priorities = tasks.map { _ in hasPriorities ? Program.Priority.allCases[random.below(3)] : nil }
    var program = Program(number: number, tasks: tasks, priorities: priorities, closing: [])
    program.closing = closing(of: tasks)
    return program
  }

  /// Frees whoever may wait at the end.
  private mutating func closing(of tasks: [Program.Body]) -> [Program.Operation] {
    func any(_ matches: (Program.Kind) -> Bool) -> Bool { tasks.contains { $0.contains(matches) } }
    var closing: [Program.Operation] = []
    if any({ if case .wait = $0 { true } else { false } }) { closing.append(operation(.open)) }
    for stream in 0..<2 where any({ if case .next(stream) = $0 { true } else { false } }) {
      closing.append(operation(.finish(stream: stream)))
    }
    return closing
  }

  private mutating func body(_ most: Int, depth: Int) -> Program.Body {
    let id = newID()
    let operations = (0..<1 + random.below(most)).map { _ in drawn(depth: depth) }
    return Program.Body(id: id, operations: operations)
  }

  private mutating func newID() -> Int {
    nextID += 1
    return nextID
  }

  private mutating func operation(_ kind: Program.Kind) -> Program.Operation {
    Program.Operation(id: newID(), kind: kind)
  }

  private mutating func drawn(depth: Int) -> Program.Operation {
    let id = newID()
    let number = kinds[random.below(kinds.count)]
    let isNesting = number >= Self.nesting
    let kind = isNesting && depth < 2 ? nested(number, depth: depth + 1) : plain(number % Self.nesting)
    return Program.Operation(id: id, kind: kind)
  }

  private static let nesting = 26
  private static let palettes: [[Int]] = [
    Array(0..<36),
    [0, 1, 2, 3, 4, 5, 6, 7],
    [5, 6, 7, 3, 26, 32],
    [8, 9, 10, 11, 12, 13, 14, 15, 26, 28, 30],
    [16, 17, 18, 19, 16, 18, 12, 30],
    [20, 21, 3, 12, 9, 32],
    [26, 27, 28, 29, 30, 31, 12, 14, 16, 0, 22],
    [9, 10, 11, 12, 15, 18, 2, 28],
    [32, 33, 34, 35, 2, 22, 14, 24, 25],
    [8, 8, 22, 23, 0, 3, 32],
    [0, 3, 4, 9, 22, 23, 13],
    [2, 3, 5, 7, 20, 21, 16, 18],
    [8, 11, 11, 12, 12, 15],
    [2, 7, 7, 22, 32, 33],
  ]

  private mutating func plain(_ number: Int) -> Program.Kind {
    let two = random.below(2)
    let other = (task + 1 + random.below(count - 1)) % count
    // The first task waits for nothing that another must do: it always ends, and then the root frees the others.
    let mayWait = task > 0
    switch number {
    case 0: return .read(cell: two)
    case 1: return .set(cell: two, 1 + random.below(9))
    case 2: return .add(cell: two)
    case 3: return .increment(cell: two)
    case 4: return .relay
    case 5: return .count
    case 6: return .startOnMain(random.below(10))
    case 7: return .startOnCell(random.below(10))
    case 8: return .yield
    case 9: return .sleep(units: 1 + random.below(3))
    case 10: return .sleepUntil(units: 1 + two)
    case 11: return .sleepNotingCancel(task: task)
    case 12: return .cancel(task: other)
    case 13: return mayWait ? .value(task: random.below(task)) : .yield
    case 14: return .isCancelled
    case 15: return two == 0 ? .isOtherCancelled(task: other) : .cancelItself
    case 16, 17: return .send(stream: two, 1 + random.below(9))
    case 18: return mayWait ? .next(stream: two) : .send(stream: two, 1 + random.below(9))
    case 19: return .finish(stream: two)
    case 20: return .open
    case 21: return mayWait ? .wait : .open
    case 22: return .note("\(task)")
    case 23: return .look
    default: return .tag
    }
  }

  private mutating func nested(_ number: Int, depth: Int) -> Program.Kind {
    let isAwaited = random.below(2) == 0
    switch number {
    case 26...29:
      let group = Program.Group.allCases[random.below(Program.Group.allCases.count)]
      return .group(group, [body(1, depth: depth), body(1, depth: depth)])
    case 30, 31: return .child(body(2, depth: depth), isAwaited: isAwaited)
    case 32, 33, 34:
      let start = Program.Start.allCases[random.below(Program.Start.allCases.count)]
      return .start(start, body(2, depth: depth), isAwaited: isAwaited)
    default: return .tagged(1 + random.below(9), body(2, depth: depth))
    }
  }
}
