internal import SimulatorStrategyInterface

extension Strategies.ExhaustiveReduced {
  /// A point between two steps of the present execution.
  struct Node: Sendable {
    /// The steps that have run from here, or from an earlier point if no step in between has anything in common with
    /// them.
    var asleep: ContiguousArray<Sleeper> = []
    /// The sequences that are still to run from here, besides the present step.
    var plan = WakeupTree()
    /// The planned branch that begins with the present step, if there is one.
    var planned: WakeupTree.Branch?
    /// The task whose step runs from here now.
    var task: UInt64 = 0
    /// The choices within that step.
    var choices: ContiguousArray<WithinStep> = []
    /// The accesses of the step under the choices already tried in it.
    var accessed: Footprint?
  }

  struct Sleeper: Sendable {
    let task: UInt64
    let footprint: Footprint
  }

  /// A choice within a step. All options are tried, beginning with `first`. For a choice about timers, as time moves,
  /// only those options are tried that turn out to make a difference.
  struct WithinStep: Sendable {
    let options: Int32
    let first: Int32
    var taken: Int32
    /// For each option, the timer that it is about, if any. Empty if all options are tried.
    let timers: ContiguousArray<Strategies.OpenTimer?>
    private var wanted: UInt64 = 0
    private var tried: UInt64 = 0

    init(options: Int, first: Int, timers: ContiguousArray<Strategies.OpenTimer?> = []) {
      self.options = Int32(options)
      self.first = Int32(first)
      self.timers = timers
      taken = Int32(first)
      if !timers.isEmpty { tried = 1 << UInt64(first) }
    }

    /// The maximum number of options that are distinguished if not all are tried.
    static let mostOptions = 64

    /// The option to try next; nil if nothing is left.
    private var next: Int32? {
      guard !timers.isEmpty else {
        let next = (taken + 1) % options
        return next == first ? nil : next
      }
      let left = wanted & ~tried
      return left == 0 ? nil : Int32(left.trailingZeroBitCount)
    }

    var isLast: Bool { next == nil }

    mutating func moveOn() {
      guard let next else { return }
      taken = next
      if !timers.isEmpty { tried |= 1 << UInt64(next) }
    }

    /// Notes that it makes a difference when a timer of `task` fires.
    mutating func want(_ task: UInt64) {
      for option in timers.indices where timers[option]?.task == task { wanted |= 1 << UInt64(option) }
      wanted |= 1
    }
  }
}

extension Strategies.ExhaustiveReduced.Node {
  mutating func reset() {
    if !asleep.isEmpty { asleep.removeAll(keepingCapacity: true) }
    if !choices.isEmpty { choices.removeAll(keepingCapacity: true) }
    if !plan.branches.isEmpty { plan = WakeupTree() }
    if planned != nil { planned = nil }
    if accessed != nil { accessed = nil }
  }

  func isAsleep(_ task: UInt64) -> Bool { asleep.contains { $0.task == task } }

  // Mutating, because then a call in place copies no node.

  /// Begins a step of `task`. Returns true if the task is asleep here.
  mutating func run(_ task: UInt64) -> Bool {
    self.task = task
    if planned?.task != task { planned = plan.take(task) }
    return isAsleep(task)
  }

  /// Returns the sequences planned after the present step.
  mutating func planBehind() -> WakeupTree? {
    guard let planned, planned.choices == taken else { return nil }
    return planned.rest
  }

  /// The options taken within the step.
  var taken: ContiguousArray<Int32> { choices.isEmpty ? [] : ContiguousArray(choices.map(\.taken)) }

  /// Moves on to the same step with other choices in it, or else to another task's step. Returns false if nothing is
  /// left. The present step has accessed `footprint`.
  mutating func moveOn(_ footprint: @autoclosure () -> Footprint) -> Bool {
    let mayMoveOn = !choices.isEmpty || !plan.branches.isEmpty
    guard mayMoveOn else { return false }
    var accessed = accessed ?? footprint()
    if self.accessed != nil { accessed.formUnion(footprint()) }
    if moveOnWithinStep() {
      self.accessed = accessed
      return true
    }
    self.accessed = nil
    asleep.append(Strategies.ExhaustiveReduced.Sleeper(task: task, footprint: accessed))
    planned = plan.takeFirst()
    guard let planned else { return false }
    task = planned.task
    return true
  }

  private mutating func moveOnWithinStep() -> Bool {
    while let last = choices.last, last.isLast { choices.removeLast() }
    guard let last = choices.indices.last else { return false }
    choices[last].moveOn()
    return true
  }
}
