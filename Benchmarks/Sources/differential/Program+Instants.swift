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

  /// Whether a task is cancelled at the very instant at which it would wake, or a group has two children that end together.
  private var coincides: Bool {
    var ends: [Int] = []
    let plans = tasks.map { body in
      let plan = Plan(body, at: 0, ends)
      ends.append(plan.instant)
      return plan
    }
    return plans.contains { plan in
      plan.hasRace || plan.cancels.contains { plans[$0.task].wakes.contains($0.instant) }
    }
  }
}

/// At which instants a body wakes and cancels, where nothing is cancelled.
private struct Plan {
  private(set) var instant: Int
  private(set) var wakes: Set<Int> = []
  private(set) var cancels: [(task: Int, instant: Int)] = []
  /// Whether a group has two children that wake at one instant.
  private(set) var hasRace = false

  /// The tasks before it end at `ends`.
  init(_ body: Program.Body, at instant: Int, _ ends: [Int]) {
    self.instant = instant
    for operation in body.operations { add(operation.kind, ends) }
  }

  private mutating func add(_ kind: Program.Kind, _ ends: [Int]) {
    switch kind {
    case .sleep(let units), .sleepUntil(let units): wake(at: instant + units)
    case .sleepNotingCancel: wake(at: instant + 2)
    case .sleepTo(let units): wake(at: max(instant, units))
    case .cancel(let task): cancels.append((task, instant))
    case .cancelAfter(let units, let task):
      instant += units
      cancels.append((task, instant))
    case .value(let task): instant = max(instant, ends[task])
    default:
      let plans = kind.bodies.map { Plan($0, at: instant, ends) }
      guard !plans.isEmpty else { return }
      hasRace = hasRace || plans.count > 1 && !plans[0].wakes.isDisjoint(with: plans[1].wakes)
      for plan in plans {
        instant = max(instant, plan.instant)
        wakes.formUnion(plan.wakes)
        cancels += plan.cancels
      }
    }
  }

  private mutating func wake(at instant: Int) {
    self.instant = instant
    wakes.insert(instant)
  }
}

/// Draws the programs: sleeps, deadlines, delayed blocks and cancels that fall on the first or the second instant.
private struct InstantDrawer {
  private var random: Strategies.SplitMix64

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
    let kinds =
      [random.below(4)] + (0..<2 + random.below(2)).map { _ in palette[random.below(palette.count)] }
    var drawer = TaskDrawer(random, kinds: kinds) { drawer, number, depth in
      number >= Self.nesting && depth < 1
        ? Self.nested(&drawer, number, depth: depth + 1) : Self.plain(&drawer, number % Self.nesting)
    }
    let program = drawer.program(number)
    random = drawer.random
    return program
  }

  private static func plain(_ drawer: inout TaskDrawer, _ number: Int) -> Program.Kind {
    let other = drawer.other
    switch number {
    case 0, 1: return .sleep(units: 1 + number)
    case 2, 3: return .sleepTo(instant: number - 1)
    case 4, 5: return .cancel(task: other)
    case 6: return .cancelAfter(units: 1 + drawer.random.below(2), task: other)
    case 7: return .note("\(drawer.task)")
    case 8: return .look
    case 9: return .isCancelled
    case 10: return .isOtherCancelled(task: other)
    case 11: return .sleepNotingCancel(task: drawer.task)
    case 12: return .add(cell: 0)
    default: return drawer.task > 0 ? .value(task: drawer.random.below(drawer.task)) : .read(cell: 0)
    }
  }

  private static func nested(_ drawer: inout TaskDrawer, _ number: Int, depth: Int) -> Program.Kind {
    func body(_ most: Int) -> Program.Body { drawer.body(most, depth: depth) }
    switch number {
    // A time limit, of which the first to end cancels the other.
    case 14, 15: return .group(.first, [body(2), body(1)])
    case 16: return .group(.bodyCancels, [body(1), body(1)])
    case 17: return .group(.throwing, [body(1), body(1)])
    default: return .child(body(2), isAwaited: drawer.random.below(2) == 0)
    }
  }
}
