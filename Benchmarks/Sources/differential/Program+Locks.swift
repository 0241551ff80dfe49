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

  private var operations: Int { tasks.reduce(0) { $0 + $1.sum { _ in 1 } } }
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

  mutating func program(_ number: UInt64) -> Program {
    // Of atomics and a `Mutex` that is free, a simulation knows with the build flag only.
    let most = Simulation.followsAtomics ? 17 : 10
    kinds = (0..<2 + random.below(3)).map { _ in random.below(most) }
    let count = random.below(3) == 0 ? 3 : 2
    let tasks = (0..<count).map { index in
      task = index
      return body(count == 2 ? 3 : 2, depth: 0)
    }
    let lockKinds: [Program.Lock] =
      Simulation.followsAtomics ? [.nsLock, .pthread, .mutex, .mutex] : [.nsLock, .pthread]
    var program = Program(
      number: number, tasks: tasks, priorities: tasks.map { _ in nil }, closing: [],
      locks: (0..<2).map { _ in lockKinds[random.below(lockKinds.count)] })
    if tasks.contains(where: { $0.contains { if case .awaitSignal = $0 { true } else { false } } }) {
      program.closing = [operation(.signal)]
    }
    // That a lock is busy is seen where its holder may be left: before it takes another.
    if tasks.contains(where: { $0.contains { if case .tryLock = $0 { true } else { false } } }) {
      program.tasks = tasks.map(\.withNestedLocks)
    }
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
    case 6: return .tryLock
    case 7: return task > 0 ? .awaitSignal : .signal
    case 8: return two == 0 ? .add(cell: 0) : .read(cell: 0)
    case 10: return .section(lock: two, .load(random.below(2)))
    case 11, 12: return .load(two)
    case 13: return .store(two, value)
    case 14: return .exchange(two, value)
    case 15: return .compareExchange(two, expected: random.below(3), value)
    default: return .increase(two)
    }
  }
}

extension Program.Body {
  /// The same, with the second lock taken wherever the first is.
  fileprivate var withNestedLocks: Program.Body {
    var body = self
    for index in operations.indices {
      switch operations[index].kind {
      case .section(lock: 0, _), .twoSections(lock: 0): body.operations[index].kind = .nested
      case let kind: body.operations[index].kind = kind.with(kind.bodies.map(\.withNestedLocks))
      }
    }
    return body
  }
}
