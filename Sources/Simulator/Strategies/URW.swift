/// Uniform random walk (Zhao, Wolff, Mathur, Roychoudhury: Selectively Uniform Concurrency Testing, ASPLOS 2025,
/// the algorithm named URW there): a task is picked with probability proportional to the steps that it and the tasks it will make
/// have left, so that whole interleavings, rather than single choices, are equally likely.
///
/// How many steps that is, is learned from the natural order and from every round since.
public struct URW: Strategy {
  private var side = SideChoices()
  private var counts = StepCounts()
  private var left: ContiguousArray<Int> = []
  private var hasBegun: ContiguousArray<Bool> = []
  private var pending = Weights()
  private var ids: ContiguousArray<Candidate.ID> = []

  /// A uniform random walk.
  public init() {}

  public var followsCandidates: Bool { true }

  public mutating func began(_ number: Int, seed: UInt64) {
    side.began(number, seed: seed)
    counts.began()
    counts.expected(on: nil, into: &left)
    hasBegun.removeAll(keepingCapacity: true)
    pending.reset(count: left.count)
  }

  public mutating func offered(_ candidate: Candidate) {
    let task = counts.task(of: candidate)
    while left.count <= task { left.append(1) }
    while hasBegun.count <= task { hasBegun.append(false) }
    while ids.count <= task { ids.append(0) }
    if !hasBegun[task] {
      hasBegun[task] = true
      leave(task)
    }
    ids[task] = candidate.id
    pending[task] = max(1, left[task])
  }

  /// The steps of a task that has been made are no longer to come from the one that made it.
  private mutating func leave(_ task: Int) {
    let parent = counts.parent(of: task)
    guard parent >= 0 else { return }
    left[parent] -= left[task]
    if pending[parent] > 0 { pending[parent] = max(1, left[parent]) }
  }

  public mutating func withdrew(_ candidate: Candidate) { pending[counts.task(of: candidate)] = 0 }

  public mutating func took(_ candidate: Candidate) {
    let task = counts.task(of: candidate)
    counts.count(task: task, place: counts.place(of: candidate))
    left[task] -= 1
    pending[task] = 0
  }

  public mutating func pick(_ point: ChoicePoint) -> Pick {
    if let pick = side.pick(point) { return pick }
    guard pending.total > 0 else { return .option(0) }
    return .candidate(ids[pending.number(at: side.random.below(pending.total))])
  }

  public mutating func ended(_ summary: ExecutionSummary) {
    side.ended()
    counts.ended()
  }

  public mutating func roundEnded() {
    side.roundEnded()
    counts.roundEnded()
  }
}
