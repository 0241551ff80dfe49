public import SimulatorStrategyInterface

extension Strategies {
  /// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with
  /// Probabilistic Guarantees of Finding Bugs, ASPLOS 2010, its only algorithm).
  ///
  /// Every task has a random priority, and the highest runs. At `depth` − 1 random order choices, the task about to run
  /// falls below all others. In an execution of n tasks and k order choices, a bug that takes `depth` orderings is
  /// found with probability at least 1 / (n · k^(depth − 1)). Only choices count, so steps that could not have been
  /// delayed do not dilute the probability; k is learned from earlier executions. An `await` is not a yield.
  ///
  /// With preemptible steps, a task keeps its priority while its step is parked, and each preemption point is a choice
  /// that counts.
  ///
  /// An execution four times as long as any before continues in the natural order, so that tasks that spin to wait for
  /// each other come to an end.
  public struct PCT: Strategies.PartObserver, Strategies.RoundObserver, Strategies.Divisible,
    Strategies.Foreseeing
  {
    private struct Change {
      var at: Int
      var priority: UInt64
    }

    private let depth: Int
    private var side = Strategies.SideChoices()
    private var offers = OfferHeap()
    private var salt: UInt64 = 0
    private var changes: ContiguousArray<Change> = []
    private var nextChange = 0
    private var demoted: ContiguousArray<(task: UInt64, priority: UInt64)> = []

    /// Creates a PCT strategy for bugs of `depth` orderings, at least 1.
    public init(depth: Int = 3) {
      refuse(if: depth < 1, "a bug takes at least one ordering, so the depth is 1 at least, and not \(depth)")
      self.depth = depth
    }

    public var followsCandidates: Bool { true }
    public var followsParts: Bool { true }

    public mutating func began(_ number: Int, seed: UInt64) {
      side.began(number, seed: seed)
      offers.removeAll()
      salt = side.random.next()
      demoted.removeAll(keepingCapacity: true)
      changes.removeAll(keepingCapacity: true)
      nextChange = 0
      var priority = 1
      while priority < depth {
        insert(priority)
        priority += 1
      }
    }

    private mutating func insert(_ priority: Int) {
      let change = Change(at: 1 + side.random.below(side.expected), priority: UInt64(priority))
      changes.append(change)
      var index = changes.count - 1
      while index > 0, changes[index - 1].at > change.at {
        changes[index] = changes[index - 1]
        index -= 1
      }
      changes[index] = change
    }

    public mutating func offered(_ candidate: Strategies.Candidate) {
      offers.insert(candidate.id, task: candidate.task, priority: priority(of: candidate))
    }

    public mutating func withdrew(_ candidate: Strategies.Candidate) { took(candidate) }

    public mutating func took(_ candidate: Strategies.Candidate) {
      side.offersChanged()
      offers.remove(candidate.id)
    }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      if let pick = side.pick(point) { return pick }
      if side.points > 4 * side.expected + 100 { return .option(0) }
      while nextChange < changes.count, changes[nextChange].at <= side.points { demoteTop() }
      return offers.top().map { side.pick($0.id, at: point) } ?? .option(0)
    }

    private mutating func demoteTop() {
      let priority = changes[nextChange].priority
      nextChange += 1
      guard let top = offers.top() else { return }
      demoted.append((top.task, priority))
      offers.lowerTop(to: priority)
    }

    /// Returns a priority that is above every demotion and the same for all steps of a task.
    private func priority(of candidate: Strategies.Candidate) -> UInt64 {
      for index in demoted.indices.reversed() where demoted[index].task == candidate.task {
        return demoted[index].priority
      }
      let who = candidate.task == 0 ? UInt64(candidate.id) : candidate.task
      return Digest.mix(salt, who) | 1 << 63
    }

    package mutating func likelyNext(options: Int) -> Strategies.Pick? {
      offers.top().map { .candidate($0.id) }
    }

    public mutating func divide(_ part: Int, of parts: Int) {}

    public mutating func ended(_ summary: Strategies.ExecutionSummary) { side.ended() }

    public mutating func used(_ lock: Int) {}

    public mutating func roundEnded() { side.roundEnded() }
  }
}
