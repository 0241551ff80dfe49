internal import SimulatorStrategyInterface

/// Random schedules with one, two, or three deviations from the natural order, each at most once.
///
/// The schedules form a tree. Below the natural order are the schedules with one deviation, and below each of those are
/// the schedules that add a later deviation. The children of a schedule are known once it has run. The next one to run
/// is random among all children with the same number of deviations. This is delay bounding (see
/// `Strategies.DelayBounded`) without its order, for budgets that cannot cover everything.
///
/// If a timer is put off and fires before its latest end, two choices decide one thing: when it fires. They count as
/// one deviation here.
struct FewDeviations: Strategies.RoundObserver, Strategies.Divisible {
  private struct Deviation {
    let position: Int32
    let taken: Int32
  }

  /// A schedule that has run. It gives out its children in steps of the golden ratio, which spreads any number of them
  /// evenly.
  private struct Node {
    let deviations: ContiguousArray<Deviation>
    /// The number of options of each choice after the last deviation in which the children may differ; 1 for any other
    /// choice.
    let options: ContiguousArray<Int32>
    let children: Int
    private var stride: Int
    private var next: Int

    init(_ deviations: ContiguousArray<Deviation>, _ options: ContiguousArray<Int32>, from ticket: UInt64) {
      self.deviations = deviations
      self.options = options
      let children = options.reduce(0) { $0 + Int($1) - 1 }
      self.children = children
      var stride = max(1, Int(Double(children) * 0.618_033_988_749_895))
      while !Self.isCoprime(stride, children) { stride += 1 }
      self.stride = stride
      next = children == 0 ? 0 : Int(ticket % UInt64(children))
    }

    mutating func nextChild() -> ContiguousArray<Deviation> {
      var rest = next
      next = (next + stride) % children
      var index = 0
      while rest >= Int(options[index]) - 1 {
        rest -= Int(options[index]) - 1
        index += 1
      }
      let first = deviations.last.map { $0.position + 1 } ?? 0
      return deviations + [Deviation(position: first + Int32(index), taken: Int32(rest + 1))]
    }

    /// Keeps, of the `left` children that have not run, those whose turn is `part` or any multiple of `parts` later.
    /// Returns their number.
    mutating func divide(_ part: Int, of parts: Int, left: Int) -> Int {
      guard children > 0 else { return 0 }
      next = (next + part % children * stride) % children
      stride = parts % children * stride % children
      return left > part ? (left - part - 1) / parts + 1 : 0
    }

    private static func isCoprime(_ a: Int, _ b: Int) -> Bool { b == 0 ? a == 1 : isCoprime(b, a % b) }
  }

  /// The schedules that have run and whose children have one deviation more than the level's number, with the number of
  /// children of each that have not run.
  private struct Level {
    var nodes: ContiguousArray<Node> = []
    var left = Weights()
  }

  private static let mostDeviations = 3
  /// The maximum number of choices that are remembered, not counting those of the natural order.
  private static let mostChoices = 1 << 20

  private var random = Strategies.SplitMix64(state: 0)
  private var levels = ContiguousArray(repeating: Level(), count: mostDeviations)
  private var fresh: ContiguousArray<(level: Int, node: Node)> = []
  private var choices = 0
  /// The schedule of this execution, the number of its deviations that count, and the number met so far.
  private var schedule: ContiguousArray<Deviation> = []
  private var counted = 0
  private var met = 0
  /// The options of the choices after those deviations.
  private var options: ContiguousArray<Int32> = []
  /// The indices of the options at choices about timers that were put off and may fire.
  private var ends: ContiguousArray<Int> = []

  /// True if the natural order has run.
  var isReady: Bool { !levels[0].nodes.isEmpty }
  /// True if there is a schedule with a single deviation that has not run.
  var hasSingles: Bool { levels[0].left.total > 0 }
  /// True if there is any schedule left.
  var hasMore: Bool { levels.contains { $0.left.total > 0 } }

  /// Begins an execution. If nothing is left, it repeats the natural order.
  mutating func began(_ number: Int, seed: UInt64) {
    begin(number, seed: seed)
    var level: Int?
    for index in levels.indices where levels[index].left.total > 0 {
      if level == nil || random.below(3) > 0 { level = index }
    }
    if let level { take(from: level) }
  }

  /// Begins an execution with a single deviation.
  mutating func beganSingle(_ number: Int, seed: UInt64) {
    begin(number, seed: seed)
    take(from: 0)
  }

  private mutating func begin(_ number: Int, seed: UInt64) {
    random = Strategies.SplitMix64(seed: seed, stream: UInt64(number))
    schedule.removeAll(keepingCapacity: true)
    options.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    counted = 0
    met = 0
  }

  private mutating func take(from level: Int) {
    let node = levels[level].left.number(at: random.below(levels[level].left.total))
    levels[level].left[node] -= 1
    schedule = levels[level].nodes[node].nextChild()
    counted = level + 1
  }

  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
    guard met < schedule.count else {
      if let timers = point.timers, !timers.isFirst { ends.append(options.count) }
      options.append(Int32(clamping: point.optionsInOrder))
      return .option(0)
    }
    guard Int(schedule[met].position) == point.position else { return .option(0) }
    met += 1
    return .option(min(Int(schedule[met - 1].taken), point.options - 1))
  }

  mutating func ended(_ summary: Strategies.ExecutionSummary) {
    if schedule.isEmpty {
      if !isReady { fresh.append((0, Node(schedule, options, from: 0))) }
    } else if choices < Self.mostChoices {
      choices += options.count
      let fired = takeEnds()
      if counted < Self.mostDeviations {
        fresh.append((counted, Node(schedule, options, from: random.next())))
      }
      if let fired { fresh.append((counted - 1, Node(schedule, fired, from: random.next()))) }
    }
  }

  /// Returns the options that fire a timer that was put off, separated from all others; nil if there are none.
  private mutating func takeEnds() -> ContiguousArray<Int32>? {
    guard !ends.isEmpty else { return nil }
    var fired = ContiguousArray<Int32>(repeating: 1, count: options.count)
    for index in ends { swap(&fired[index], &options[index]) }
    return fired
  }

  mutating func divide(_ part: Int, of parts: Int) {
    for level in levels.indices {
      for node in levels[level].nodes.indices {
        levels[level].left[node] = levels[level].nodes[node].divide(
          part, of: parts, left: levels[level].left[node])
      }
    }
  }

  mutating func roundEnded() {
    for (level, node) in fresh {
      levels[level].left[levels[level].nodes.count] = node.children
      levels[level].nodes.append(node)
    }
    fresh.removeAll(keepingCapacity: true)
  }
}
