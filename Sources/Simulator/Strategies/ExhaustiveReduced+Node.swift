extension Strategies.ExhaustiveReduced {
  /// A point between two steps of the present execution.
  struct Node: Sendable {
    /// The steps that have been run from here, or from a point before with nothing between that they have
    /// anything in common with.
    var asleep: ContiguousArray<Sleeper> = []
    /// What is still to be run from here, beside the present step.
    var plan = WakeupTree()
    /// What was planned to begin with the present step, if it was planned.
    var planned: WakeupTree.Branch?
    /// The task whose step runs from here now.
    var task: UInt64 = 0
    /// What is chosen within that step.
    var choices: ContiguousArray<WithinStep> = []
    /// What the step has accessed when other things were chosen in it.
    var accessed: Footprint?
  }

  struct Sleeper: Sendable {
    let task: UInt64
    let footprint: Footprint
  }

  /// A choice within a step: all options are tried, beginning with `first`; of one about timers, as time moves, those
  /// that turn out to make a difference.
  struct WithinStep: Sendable {
    let options: Int32
    let first: Int32
    var taken: Int32
    /// For each option the timer that it is about, if any; empty when all options are tried.
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

    /// The most options that are told apart where not all are tried.
    static let mostOptions = 64

    /// What is to be tried next; nil when nothing is left.
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

    /// When a timer of `task` fires makes a difference.
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

  // Mutating, for a call of them in place copies no node.

  /// A step of `task` begins; says whether it is asleep here.
  mutating func run(_ task: UInt64) -> Bool {
    self.task = task
    if planned?.task != task { planned = plan.take(task) }
    return isAsleep(task)
  }

  /// What is planned behind the present step.
  mutating func planBehind() -> WakeupTree? {
    guard let planned, planned.choices == taken else { return nil }
    return planned.rest
  }

  /// What is chosen within the step.
  var taken: ContiguousArray<Int32> { choices.isEmpty ? [] : ContiguousArray(choices.map(\.taken)) }

  /// The same step with other choices in it, else another task's step; false when nothing is left. The
  /// present one has accessed `footprint`.
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
