import Simulator
import SimulatorStrategies

extension Program {
  /// The program number `number` of those that give operations to queues.
  init(operationNumber number: UInt64) {
    var drawer = OperationDrawer(number)
    var program = drawer.program(number)
    while program.operations > 5 || !program.hands || !program.mayDiffer && !program.mayDifferInText
      || program.tasks.contains(where: \.usesTextTwice)
    {
      program = drawer.program(number)
    }
    self = program
  }
}

extension Program {
  private var mayDifferInText: Bool {
    tasks.reduce(0) {
      $0
        + $1.sum {
          switch $0 {
          case .note: 2
          case .look: 1
          default: 0
          }
        }
    } > 2
  }
}

extension Program.Body {
  /// Whether it, or what it hands over, uses the text more than once: between two uses a simulation leaves no step.
  fileprivate var usesTextTwice: Bool {
    uses > 1 || operations.contains { $0.kind.bodies.contains(where: \.usesTextTwice) }
  }

  private var uses: Int {
    operations.reduce(0) { sum, operation in
      switch operation.kind {
      case .note, .look: sum + 1
      case .paused(let body): sum + body.uses
      default: sum
      }
    }
  }
}

/// Draws a program of two queues of operations, of which one runs one operation at a time.
///
/// Each real run must come to its end: what waits for an operation does so only where nothing of its queue waits for it, and the
/// first task waits for no other.
private struct OperationDrawer {
  private var random: Strategies.SplitMix64
  private var nextID = 0
  private var kinds: [Int] = []

  init(_ number: UInt64) { random = Strategies.SplitMix64(seed: number, stream: 7) }

  mutating func program(_ number: UInt64) -> Program {
    let looks = random.below(2) == 0
    kinds = [
      looks ? 16 + random.below(2) : random.below(4), looks ? 16 + random.below(2) : random.below(8),
      8 + random.below(8), 8 + random.below(8),
    ]
    let carriers: [Program.Place] = [.task, .task, .thread, .global]
    let tasks = (0..<1 + random.below(2)).map { body(3, depth: 0, rank: 0, mayWait: $0 > 0) }
    var program = Program(
      number: number, tasks: tasks, priorities: tasks.map { _ in nil }, closing: [],
      locks: (0..<2).map { _ in random.below(2) == 0 ? .nsLock : .pthread },
      carriers: tasks.map { _ in carriers[random.below(carriers.count)] })
    let waits = tasks.reduce(0) { $0 + $1.sum { $0.pends ? 1 : 0 } }
    program.closing = (0..<waits).map { _ in operation(.post) }
    return program
  }

  private mutating func body(_ most: Int, depth: Int, rank: Int, mayWait: Bool) -> Program.Body {
    nextID += 1
    let id = nextID
    return Program.Body(
      id: id,
      operations: (0..<1 + random.below(most)).map { _ in drawn(depth: depth, rank: rank, mayWait: mayWait) })
  }

  private mutating func operation(_ kind: Program.Kind) -> Program.Operation {
    nextID += 1
    return Program.Operation(id: nextID, kind: kind)
  }

  private mutating func drawn(depth: Int, rank: Int, mayWait: Bool) -> Program.Operation {
    let number = kinds[random.below(depth < 2 ? 4 : 2)]
    return operation(
      8..<16 ~= number ? nested(number, depth, rank, mayWait) : plain(number, mayWait: mayWait))
  }

  private mutating func nested(_ number: Int, _ depth: Int, _ rank: Int, _ mayWait: Bool) -> Program.Kind {
    let place: Program.Place = random.below(3) == 0 ? .single : .operations
    switch number {
    case 10, 11: return .ordered(place, (0..<2).map { _ in inner(1, depth, place.rank, true) })
    case 12: return .barrierBlock(inner(2, depth, Program.Place.operations.rank, true))
    // Within it nothing waits for an operation that may not begin yet.
    case 13: return .paused(inner(2, depth, Program.Place.operations.rank, mayWait))
    case 14 where place.rank > rank && mayWait: return .awaited(place, inner(2, depth, place.rank, true))
    default: return .hand(place, inner(2, depth, place.rank, true))
    }
  }

  private mutating func inner(_ most: Int, _ depth: Int, _ rank: Int, _ mayWait: Bool) -> Program.Body {
    body(most, depth: depth + 1, rank: rank, mayWait: mayWait)
  }

  private mutating func plain(_ number: Int, mayWait: Bool) -> Program.Kind {
    let lock = random.below(4) / 3
    switch number {
    case 0: return .section(lock: lock, .read)
    case 1: return .section(lock: lock, .set(1 + random.below(9)))
    case 2: return .section(lock: lock, .add)
    case 3: return .twoSections(lock: lock)
    case 4: return .post
    case 5: return mayWait ? .pend : .post
    // They are no points: what comes in between does so where an operation was added.
    case 16: return .note("\(nextID)")
    case 17: return .look
    default: return .width(1 + random.below(2))
    }
  }
}
