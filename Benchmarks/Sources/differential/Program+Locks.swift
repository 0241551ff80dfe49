import Simulator
import SimulatorStrategies

extension Program {
  /// The program number `number` of those whose tasks share locks; and atomics, where the build lets a simulation follow them.
  init(lockedNumber number: UInt64) {
    var drawer = LockDrawer(number)
    var program = drawer.program(number)
    while program.operations > 4 { program = drawer.program(number) }
    self = program
  }

  var isLocked: Bool { !locks.isEmpty }

  var hasTries: Bool { tasks.contains { $0.contains(\.tries) } }

  /// How many of its tasks may block their threads at once for something that is no lock.
  var blockers: Int {
    guard isLocked, !isQueued else { return 0 }
    return tasks.reduce(0) { $0 + $1.sum { $0.blocks ? 1 : 0 } }
  }
}

/// Draws a program whose tasks share locks.
///
/// A task that waits for a lock keeps its thread, and a real run must come to its end: the second lock may be taken with the
/// first in hand, never the other way, and a signal comes for sure.
private struct LockDrawer {
  private var random: Strategies.SplitMix64
  private var nextID = 0
  private var kinds: [Int] = []
  private var task = 0

  init(_ number: UInt64) { random = Strategies.SplitMix64(seed: number, stream: 3) }

  /// Of atomics, a simulation knows with the build flag only.
  private static let palettes: [[Int]] = [
    Array(0..<(Simulation.followsAtomics ? 17 : 10)),
    [0, 1, 2, 3, 5, 6, 6, 6, 17, 17],
    [2, 3, 8, 18, 18, 19, 19, 20, 21],
  ]

  mutating func program(_ number: UInt64) -> Program {
    let palette = Self.palettes[random.below(Self.palettes.count)]
    kinds = (0..<2 + random.below(3)).map { _ in palette[random.below(palette.count)] }
    let count = random.below(3) == 0 ? 3 : 2
    let tasks = (0..<count).map { index in
      task = index
      return body(count == 2 ? 3 : 2, depth: 0)
    }
    func uses(_ matches: (Program.Kind) -> Bool) -> Int {
      tasks.reduce(0) { $0 + $1.sum { matches($0) ? 1 : 0 } }
    }
    // A simulation knows of a `Mutex` that is free with the build flag only, and sees none that is only tried.
    let lockKinds: [Program.Lock] =
      tasks.contains { $0.contains(\.tries) }
      ? [.nsLock, .pthread, .semaphore]
      : Simulation.followsAtomics ? [.nsLock, .pthread, .mutex, .mutex] : [.nsLock, .pthread, .semaphore]
    let drawn = (0..<2).map { _ in lockKinds[random.below(lockKinds.count)] }
    var program = Program(
      number: number, tasks: tasks, priorities: tasks.map { _ in nil }, closing: [],
      locks: drawn.map { $0 == .nsLock && number % 3 == 0 ? .timed : $0 })
    if uses({ if case .awaitSignal = $0 { true } else { false } }) > 0 {
      program.closing = [operation(.signal)]
    }
    program.closing += (0..<uses(\.pends)).map { _ in operation(.post) }
    return program
  }

  private mutating func body(_ most: Int, depth: Int) -> Program.Body {
    nextID += 1
    let id = nextID
    return Program.Body(id: id, operations: (0..<1 + random.below(most)).map { _ in drawn(depth: depth) })
  }

  private mutating func operation(_ kind: Program.Kind) -> Program.Operation {
    nextID += 1
    return Program.Operation(id: nextID, kind: kind)
  }

  private mutating func drawn(depth: Int) -> Program.Operation {
    let number = kinds[random.below(kinds.count)]
    return operation(number == 9 && depth == 0 ? tasks(depth: depth + 1) : plain(number))
  }

  private mutating func tasks(depth: Int) -> Program.Kind {
    random.below(2) == 0
      ? .child(body(1, depth: depth), isAwaited: true)
      : .group(.all, [body(1, depth: depth), body(1, depth: depth)])
  }

  private mutating func plain(_ number: Int) -> Program.Kind {
    let two = random.below(2)
    let value = 1 + random.below(9)
    switch number {
    case 0: return .section(lock: two, .read)
    case 1: return .section(lock: two, .set(value))
    case 2, 9: return .section(lock: two, .add)
    case 3, 4: return .twoSections(lock: two)
    case 5: return .nested
    case 6: return .tries(lock: 0, .read)
    case 7: return task > 0 ? .awaitSignal : .signal
    case 8: return two == 0 ? .add(cell: 0) : .read(cell: 0)
    case 10: return .section(lock: two, .load(random.below(2)))
    case 11, 12: return .load(two)
    case 13: return .store(two, value)
    case 14: return .exchange(two, value)
    case 15: return .compareExchange(two, expected: random.below(3), value)
    case 17: return .tries(lock: two, random.below(2) == 0 ? .add : .set(value))
    // The first task waits for no other, so that the root can free the others when it has ended.
    case 18: return .post
    case 19: return task > 0 ? .pend : .post
    case 20: return task > 0 ? .pendOnCell : .post
    case 21: return task > 0 ? .add(cell: 1) : .add(cell: 0)
    default: return .increase(two)
    }
  }
}
