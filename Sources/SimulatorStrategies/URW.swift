public import SimulatorStrategyInterface

extension Strategies {
  /// Uniform random walk (Zhao, Wolff, Mathur, Roychoudhury: Selectively Uniform Concurrency Testing, ASPLOS 2025, the
  /// algorithm named URW there). A task is picked with probability proportional to the number of steps that it and the
  /// tasks it will make have left. So whole interleavings, rather than single choices, are equally likely.
  ///
  /// With preemptible steps, the parts of a step between two preemption points count as steps.
  ///
  /// These numbers are learned from the natural order and from every round since. A step costs O(log n).
  public struct URW: Strategies.PartObserver, Strategies.RoundObserver, Strategies.Divisible,
    Strategies.Foreseeing
  {
    /// The data of one task, kept together because each step belongs to a different task.
    private struct Lane {
      /// The step of the task that could run next.
      var id: Strategies.Candidate.ID = 0
      /// The number of steps that the task, and the tasks it has not made yet, have left.
      var left = 1
      /// The number of the task's own steps: in this execution, and the maximum in any execution.
      var steps: Int32 = 0
      var most: Int32 = 0
      var hasBegun = false
    }

    private var side = Strategies.SideChoices()
    private var tasks = TaskTree()
    private var lanes: ContiguousArray<Lane> = []
    /// The steps of tasks that an execution of this round was the first to meet.
    private var fresh: ContiguousArray<(task: TaskTree.Met, steps: Int32)> = []
    /// The number of steps that each task, with the tasks it makes, has left before any has begun, learned from earlier
    /// rounds.
    private var expected: ContiguousArray<Int> = []
    private var pending = Weights()
    /// The task that ran last, or -1. It keeps its weight until it is offered again or turns out not to be.
    private var spent = -1

    /// Creates a uniform random walk.
    public init() {}

    public var followsCandidates: Bool { true }
    public var followsParts: Bool { true }

    public mutating func began(_ number: Int, seed: UInt64) {
      side.began(number, seed: seed)
      tasks.began()
      lanes.removeLast(max(0, lanes.count - tasks.known))
      for task in lanes.indices {
        lanes[task].left = expected[task]
        lanes[task].steps = 0
        lanes[task].hasBegun = false
      }
      pending.reset(count: lanes.count)
      spent = -1
    }

    public mutating func offered(_ candidate: Strategies.Candidate) {
      let task = tasks.number(of: candidate)
      while lanes.count <= task { lanes.append(Lane()) }
      if !lanes[task].hasBegun { begin(task) }
      if task == spent { spent = -1 }
      lanes[task].id = candidate.id
      pending[task] = max(1, lanes[task].left)
    }

    /// Subtracts the steps of a task that now exists from those that its maker has left.
    private mutating func begin(_ task: Int) {
      lanes[task].hasBegun = true
      let parent = tasks.parent(of: task)
      guard parent >= 0 else { return }
      lanes[parent].left -= lanes[task].left
      if pending[parent] > 0, parent != spent { pending[parent] = max(1, lanes[parent].left) }
    }

    public mutating func withdrew(_ candidate: Strategies.Candidate) {
      side.offersChanged()
      pending[tasks.number(of: candidate)] = 0
    }

    public mutating func took(_ candidate: Strategies.Candidate) {
      side.offersChanged()
      settle()
      let task = tasks.number(of: candidate)
      lanes[task].left -= 1
      lanes[task].steps += 1
      spent = task
    }

    /// Removes the weight of the task that ran last.
    @inline(__always)
    private mutating func settle() {
      if spent >= 0 { pending[spent] = 0 }
      spent = -1
    }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      if let pick = side.pick(point) { return pick }
      settle()
      guard pending.total > 0 else { return .option(0) }
      return side.pick(lanes[pending.number(at: side.random.below(pending.total))].id, at: point)
    }

    package func likelyNext(options: Int) -> Strategies.Pick? {
      guard pending.total > 0 else { return nil }
      var ahead = side.random
      return .candidate(lanes[pending.number(at: ahead.below(pending.total))].id)
    }

    public mutating func divide(_ part: Int, of parts: Int) {}

    public mutating func ended(_ summary: Strategies.ExecutionSummary) {
      side.ended()
      for task in 0..<tasks.known { lanes[task].most = max(lanes[task].most, lanes[task].steps) }
      for task in tasks.known..<lanes.count { fresh.append((tasks.met(task), lanes[task].steps)) }
    }

    public mutating func used(_ lock: Int) {}

    public mutating func roundEnded() {
      side.roundEnded()
      tasks.began()
      lanes.removeLast(max(0, lanes.count - tasks.known))
      for (met, steps) in fresh {
        let task = tasks.number(of: met)
        if task == lanes.count { lanes.append(Lane()) }
        lanes[task].most = max(lanes[task].most, steps)
      }
      fresh.removeAll(keepingCapacity: true)
      tasks.keep()
      expected.removeAll(keepingCapacity: true)
      for lane in lanes { expected.append(Int(lane.most)) }
      tasks.gather(&expected)
    }
  }
}

extension SchedulingStrategy where Self == Strategies.URW {
  /// Makes interleavings equally likely: `Strategies.URW`.
  public static var urw: Strategies.URW { Strategies.URW() }
}
