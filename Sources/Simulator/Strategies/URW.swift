extension Strategies {
  /// Uniform random walk (Zhao, Wolff, Mathur, Roychoudhury: Selectively Uniform Concurrency Testing, ASPLOS
  /// 2025, the algorithm named URW there): a task is picked with probability proportional to the steps that it
  /// and the tasks it will make have left, so that whole interleavings, rather than single choices, are equally
  /// likely.
  ///
  /// Where steps overlap, the parts of a step between two points at which it may be left count as steps.
  ///
  /// How many steps that is, is learned from the natural order and from every round since. A step costs O(log
  /// n).
  public struct URW: Strategies.PartObserver, Strategies.RoundObserver, Strategies.Divisible,
    Strategies.Foreseeing
  {
    /// What is known of one task, together, because each step is another task's.
    private struct Lane {
      /// The step that could run next.
      var id: Strategies.Candidate.ID = 0
      /// The steps that it, and the tasks it has not made yet, have left.
      var left = 1
      /// Its own steps: in this execution, and at most in any.
      var steps: Int32 = 0
      var most: Int32 = 0
      var hasBegun = false
    }

    private var side = SideChoices()
    private var tasks = TaskTree()
    private var lanes: ContiguousArray<Lane> = []
    /// The steps of tasks that an execution of this round was the first to meet.
    private var fresh: ContiguousArray<(task: TaskTree.Met, steps: Int32)> = []
    /// The steps left to each task, with those it makes, before any has begun, as earlier rounds had it.
    private var expected: ContiguousArray<Int> = []
    private var pending = Weights()
    /// The task that ran last, or -1. It keeps its weight until it is offered again or is seen not to be.
    private var spent = -1

    /// A uniform random walk.
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

    /// The steps of a task that has been made are no longer to come from the one that made it.
    private mutating func begin(_ task: Int) {
      lanes[task].hasBegun = true
      let parent = tasks.parent(of: task)
      guard parent >= 0 else { return }
      lanes[parent].left -= lanes[task].left
      if pending[parent] > 0, parent != spent { pending[parent] = max(1, lanes[parent].left) }
    }

    public mutating func withdrew(_ candidate: Strategies.Candidate) {
      side.forgetDecision()
      pending[tasks.number(of: candidate)] = 0
    }

    public mutating func took(_ candidate: Strategies.Candidate) {
      side.forgetDecision()
      settle()
      let task = tasks.number(of: candidate)
      lanes[task].left -= 1
      lanes[task].steps += 1
      spent = task
    }

    /// Takes away the weight of the task that ran last.
    @inline(__always)
    private mutating func settle() {
      if spent >= 0 { pending[spent] = 0 }
      spent = -1
    }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      if let pick = side.pick(point) { return pick }
      settle()
      guard pending.total > 0 else { return .option(0) }
      return side.answer(point, lanes[pending.number(at: side.random.below(pending.total))].id)
    }

    func likelyNext(options: Int) -> Strategies.Pick? {
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
  /// Interleavings equally likely: ``Strategies/URW``.
  public static var urw: Strategies.URW { Strategies.URW() }
}
