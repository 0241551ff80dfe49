import Simulator
import SimulatorStrategies

extension Program {
  /// The program number `number` of those that hand work to queues and threads.
  init(queuedNumber number: UInt64) {
    var drawer = QueueDrawer(number)
    var program = drawer.program(number)
    while program.operations > 6 || !program.hands || !program.mayDiffer { program = drawer.program(number) }
    self = program
  }

  var isQueued: Bool { !carriers.isEmpty }

  /// Whether its tasks share a text that no lock guards: then a simulation does not see by itself that steps overlap.
  var sharesText: Bool {
    tasks.contains {
      $0.contains {
        switch $0 {
        case .note, .look: true
        default: false
        }
      }
    }
  }

  /// One run, in a simulation or for real.
  func outcome(_ pacer: Pacer) async -> String {
    isQueued ? await QueueRun(self, pacer).outcome() : await Run(self, pacer).outcome()
  }

  var operations: Int { tasks.reduce(0) { $0 + $1.sum { _ in 1 } } }

  /// Whether something is written that is read elsewhere.
  var mayDiffer: Bool {
    let writers = tasks.reduce(0) { $0 + $1.sum(\.writes) }
    let readers = tasks.reduce(0) { $0 + $1.sum(\.reads) }
    return writers + readers > 2 && writers > 0 && readers > 0
  }

  var hands: Bool { tasks.contains { $0.contains { !$0.bodies.isEmpty } } }
}

/// Draws a program of queues, threads, semaphores and locks.
///
/// Each real run must come to its end: what waits for a queue does so only from one of a lower rank, and the first task
/// waits for no other, so that the root can free the others when it has ended.
private struct QueueDrawer {
  private var random: Strategies.SplitMix64
  private var nextID = 0
  private var places: [Program.Place] = []
  private var kinds: [Int] = []

  init(_ number: UInt64) { random = Strategies.SplitMix64(seed: number, stream: 5) }

  mutating func program(_ number: UInt64) -> Program {
    let all = Program.Place.beside
    places = (0..<1 + random.below(2)).map { _ in all[random.below(all.count)] }
    kinds = [random.below(4), random.below(6), 6 + random.below(8)]
    let carriers: [Program.Place] = [.task, .task, .thread, .global]
    let tasks = (0..<1 + random.below(2)).map { body(3, depth: 0, rank: 0, mayWait: $0 > 0) }
    var program = Program(
      number: number, tasks: tasks, priorities: tasks.map { _ in nil }, closing: [],
      locks: (0..<2).map { _ in random.below(2) == 0 ? .nsLock : .pthread },
      carriers: tasks.map { _ in carriers[random.below(carriers.count)] })
    let waits = tasks.reduce(0) { $0 + $1.sum { if case .pend = $0 { 1 } else { 0 } } }
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
    let number = kinds[random.below(depth < 2 ? 3 : 2)]
    return operation(number >= 6 ? nested(number, depth, rank, mayWait) : plain(number, mayWait: mayWait))
  }

  private mutating func nested(_ number: Int, _ depth: Int, _ rank: Int, _ mayWait: Bool) -> Program.Kind {
    let place = places[random.below(places.count)]
    switch number {
    case 11 where place.isQueue && place.rank > rank && mayWait:
      return .sync(place, body(2, depth: depth + 1, rank: place.rank, mayWait: true))
    case 12 where place.rank > rank && mayWait:
      return .awaited(place, body(2, depth: depth + 1, rank: place.rank, mayWait: true))
    case 13 where place == .concurrent:
      return .barrier(body(2, depth: depth + 1, rank: place.rank, mayWait: true))
    default:
      return .hand(place, body(2, depth: depth + 1, rank: place.rank, mayWait: true))
    }
  }

  private mutating func plain(_ number: Int, mayWait: Bool) -> Program.Kind {
    let lock = random.below(4) / 3
    switch number {
    case 0: return .section(lock: lock, .read)
    case 1: return .section(lock: lock, .set(1 + random.below(9)))
    case 2: return .section(lock: lock, .add)
    case 3: return .twoSections(lock: lock)
    case 4: return .post
    default: return mayWait ? .pend : .post
    }
  }
}

extension Program.Place {
  /// All that are no queues of operations.
  static let beside: [Self] = [.upper, .serial, .concurrent, .global, .main, .thread, .task, .mainActor]

  /// What may be waited for from here is of a higher one.
  var rank: Int {
    switch self {
    case .upper, .serial: 1
    case .concurrent: 2
    case .main, .mainActor: 3
    case .single: 4
    case .operations: 5
    case .global, .thread, .task: 6
    }
  }

  var isQueue: Bool {
    switch self {
    case .upper, .serial, .concurrent, .global, .main: true
    case .thread, .task, .mainActor, .operations, .single: false
    }
  }
}

extension Program.Kind {
  fileprivate var writes: Int {
    switch self {
    case .section(_, .set), .section(_, .add), .twoSections, .note: 1
    default: 0
    }
  }

  fileprivate var reads: Int {
    switch self {
    case .section(_, .read), .twoSections, .look: 1
    default: 0
    }
  }
}
