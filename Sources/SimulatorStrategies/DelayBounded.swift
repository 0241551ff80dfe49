public import SimulatorStrategyInterface

extension Strategies {
  /// Delay bounding (Emmi, Qadeer, Rakamarić: Delay-Bounded Scheduling, POPL 2011). It tries the schedule with no
  /// deviation from the natural order, then every schedule with one deviation, then with two, and so on, each exactly
  /// once.
  ///
  /// The number of these schedules does not depend on the number of tasks, and most published bugs need one or two
  /// deviations.
  public struct DelayBounded: Strategies.Covering {
    private struct Deviation {
      var position: Int32
      var taken: Int32
    }

    /// The number of choices of an execution, and which of them drew random numbers; -1 for none.
    private typealias Length = (choices: Int32, draw: Int32)

    private let limit: Int?
    /// The number of deviations in each schedule of this level.
    private var level = 0
    /// The schedules of the level below, one after the other with `level` − 1 deviations each, and the number of
    /// choices that each of their executions made.
    private var parents: ContiguousArray<Deviation> = []
    private var lengths: ContiguousArray<Length> = []
    private var parent = 0
    /// The schedules of this level, and the number of choices that each of their executions made.
    private var children: ContiguousArray<Deviation> = []
    private var childLengths: ContiguousArray<Length> = []
    /// The choice of the present schedule that draws random numbers; -1 for none.
    private var draw: Int32 = -1
    /// The present schedule, the number of its deviations met so far, and the number of options of its last deviation.
    private var current: ContiguousArray<Deviation> = []
    private var met = 0
    private var options = 0
    public private(set) var covered: Strategies.Coverage?

    /// Creates a search through all schedules with at most `deviations` deviations, or simply all schedules.
    public init(atMost deviations: Int? = nil) {
      if let deviations { Self.refuseMeaningless(deviations) }
      limit = deviations
    }

    public var goal: Strategies.Coverage { limit.map { .deviations(atMost: $0) } ?? .everySchedule }

    package static func refuseMeaningless(_ deviations: Int) {
      refuse(
        if: deviations < 0,
        "no schedule has \(deviations) deviations; 0 at most stands for the natural order alone")
    }

    public mutating func began(_ number: Int, seed: UInt64) {
      met = 0
      draw = -1
    }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      if point.kind == .draw { draw = Int32(point.position) }
      guard met < current.count, current[met].position == point.position else { return .option(0) }
      let taken = Int(current[met].taken)
      met += 1
      options = point.options
      return .option(min(taken, point.options - 1))
    }

    public mutating func ended(_ summary: Strategies.ExecutionSummary) {
      if limit.map({ level < $0 }) ?? true {
        children.append(contentsOf: current)
        childLengths.append((Int32(summary.choices), draw))
      }
      if level > 0, let last = current.last, Int(last.taken) + 1 < options {
        current[level - 1].taken += 1
      } else if level == 0 || !moveOn(after: Int(current[level - 1].position)) {
        nextParent()
      }
    }

    /// Moves the last deviation to the next choice of the same parent. Returns false if there is none.
    private mutating func moveOn(after position: Int) -> Bool {
      let (choices, draw) = lengths[parent]
      var next = Int32(position + 1)
      if next == draw { next += 1 }
      guard next < choices else { return false }
      current[level - 1] = Deviation(position: next, taken: 1)
      return true
    }

    private mutating func nextParent() {
      while true {
        if level > 0 { parent += 1 }
        while level == 0 || parent == lengths.count {
          if level == limit { return covered = .deviations(atMost: level) }
          if childLengths.isEmpty { return covered = .everySchedule }
          level += 1
          parent = 0
          swap(&parents, &children)
          swap(&lengths, &childLengths)
          children.removeAll(keepingCapacity: true)
          childLengths.removeAll(keepingCapacity: true)
        }
        let start = parent * (level - 1)
        current.removeAll(keepingCapacity: true)
        current.append(contentsOf: parents[start..<start + level - 1])
        current.append(Deviation(position: 0, taken: 1))
        if moveOn(after: current.count > 1 ? Int(current[level - 2].position) : -1) { return }
      }
    }
  }
}

extension SchedulingStrategy where Self == Strategies.DelayBounded {
  /// Tries all schedules with few deviations, those with the fewest first: `Strategies.DelayBounded`.
  public static func delayBounded(atMost deviations: Int? = nil) -> Strategies.DelayBounded {
    Strategies.DelayBounded(atMost: deviations)
  }
}
