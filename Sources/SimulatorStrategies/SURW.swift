public import SimulatorStrategyInterface

extension Strategies {
  /// Selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury: Selectively Uniform Concurrency Testing,
  /// ASPLOS 2025, the algorithm named SURW there). Each execution selects one place where tasks meet and makes all
  /// interleavings of the steps there equally likely. Random priorities decide the rest.
  ///
  /// The next task to run at the selected place is chosen in advance, at random, in proportion to the number of steps
  /// that it and the tasks it will make have left there. Until it has run, the steps of other tasks at that place wait.
  ///
  /// With preemptible steps, the parts of a step between two preemption points are its steps, and the lock or atomic
  /// that such a part begins with is its place. All parts for which that is not known share one place.
  public struct SURW: Strategies.PartObserver, Strategies.RoundObserver, Strategies.Divisible,
    Strategies.Foreseeing
  {
    private var side = Strategies.SideChoices()
    private var counts = StepCounts()
    private var salt: UInt64 = 0
    private var selected: Int?
    /// The number of steps that each task has left at the selected place.
    private var left: ContiguousArray<Int> = []
    private var hasBegun: ContiguousArray<Bool> = []
    /// The number of steps that each task that has begun has left there, as its weight for the next turn.
    private var alive = Weights()
    /// The weights of the tasks whose next step is at the selected place.
    private var waiting = Weights()
    private var ids: ContiguousArray<Strategies.Candidate.ID> = []
    private var next: Int?
    /// The steps at other places.
    private var others = OfferHeap()

    /// Creates a selectively uniform random walk.
    public init() {}

    public var followsCandidates: Bool { true }
    public var followsParts: Bool { true }

    public mutating func began(_ number: Int, seed: UInt64) {
      side.began(number, seed: seed)
      salt = side.random.next()
      counts.began()
      let contested = counts.contested
      selected = contested.isEmpty ? nil : contested[side.random.below(contested.count)]
      counts.expected(on: selected, into: &left)
      hasBegun.removeAll(keepingCapacity: true)
      alive.reset(count: left.count)
      waiting.reset(count: left.count)
      others.removeAll()
      next = nil
    }

    public mutating func offered(_ candidate: Strategies.Candidate) {
      counts.offered(candidate)
      let task = counts.task(of: candidate)
      while left.count <= task { left.append(0) }
      while hasBegun.count <= task { hasBegun.append(false) }
      while ids.count <= task { ids.append(0) }
      if !hasBegun[task] { begin(task) }
      if counts.place(of: candidate) == selected {
        ids[task] = candidate.id
        waiting[task] = max(1, left[task])
      } else {
        others.insert(candidate.id, task: 0, priority: priority(of: task))
      }
    }

    /// Begins a task. If its maker was chosen to be next, the task takes over that turn in proportion to the steps it
    /// takes over.
    private mutating func begin(_ task: Int) {
      hasBegun[task] = true
      alive[task] = max(0, left[task])
      let parent = counts.parent(of: task)
      guard parent >= 0 else { return }
      let both = left[parent]
      left[parent] -= left[task]
      alive[parent] = max(0, left[parent])
      if next == parent, both > 0, side.random.below(both) < left[task] { next = task }
    }

    public mutating func withdrew(_ candidate: Strategies.Candidate) {
      let task = counts.task(of: candidate)
      side.offersChanged()
      if counts.place(of: candidate) == selected { waiting[task] = 0 } else { others.remove(candidate.id) }
    }

    public mutating func took(_ candidate: Strategies.Candidate) {
      side.offersChanged()
      let task = counts.task(of: candidate)
      let place = counts.place(of: candidate)
      counts.took(candidate, task: task, place: place)
      guard place == selected else { return others.remove(candidate.id) }
      waiting[task] = 0
      left[task] -= 1
      alive[task] = max(0, left[task])
      next = nil
    }

    public mutating func used(_ lock: Int) { counts.used(lock) }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      if let pick = side.pick(point) { return pick }
      if side.points > 4 * side.expected + 100 { return .option(0) }
      if next == nil, alive.total > 0 { next = alive.number(at: side.random.below(alive.total)) }
      let other = others.top()
      if let next, waiting[next] > 0, priority(of: next) > other?.priority ?? 0 {
        return side.pick(ids[next], at: point)
      }
      if let other { return side.pick(other.id, at: point) }
      guard waiting.total > 0 else { return .option(0) }
      return side.pick(ids[waiting.number(at: side.random.below(waiting.total))], at: point)
    }

    package mutating func likelyNext(options: Int) -> Strategies.Pick? {
      others.top().map { .candidate($0.id) }
    }

    private func priority(of task: Int) -> UInt64 { Digest.mix(salt, UInt64(task)) | 1 }

    public mutating func divide(_ part: Int, of parts: Int) {}

    public mutating func ended(_ summary: Strategies.ExecutionSummary) {
      side.ended()
      counts.ended()
    }

    public mutating func roundEnded() {
      side.roundEnded()
      counts.roundEnded()
    }
  }
}
