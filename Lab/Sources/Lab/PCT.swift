public import SimulatorStrategies

/// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with
/// Probabilistic Guarantees of Finding Bugs, ASPLOS 2010, its only algorithm).
///
/// Every task has a random priority, and the highest runs. At `depth` − 1 random scheduling points, the task that would
/// run falls below all others.
public struct PCT: Strategies.PartObserver, Strategies.RoundObserver, Strategies.Divisible {
  private struct Offer {
    let id: Strategies.Candidate.ID
    let task: UInt64
    var priority: UInt64
  }

  private let depth: Int
  private var side = Strategies.SideChoices()
  private var offers: ContiguousArray<Offer> = []
  private var salt: UInt64 = 0
  /// The scheduling points at which a task falls, and the priority that it gets there; the next one comes last.
  private var changes: ContiguousArray<(point: Int, priority: UInt64)> = []
  private var fallen: ContiguousArray<(task: UInt64, priority: UInt64)> = []

  /// Creates a strategy for bugs of `depth` orderings, at least 1.
  public init(depth: Int = 3) {
    precondition(depth >= 1, "a bug takes at least one ordering")
    self.depth = depth
  }

  public var followsCandidates: Bool { true }
  public var followsParts: Bool { true }

  public mutating func began(_ number: Int, seed: UInt64) {
    side.began(number, seed: seed)
    offers.removeAll(keepingCapacity: true)
    fallen.removeAll(keepingCapacity: true)
    salt = side.random.next()
    changes.removeAll(keepingCapacity: true)
    for priority in 1..<UInt64(depth) {
      changes.append((1 + side.random.below(side.expected), priority))
    }
    changes.sort { $0.point > $1.point }
  }

  public mutating func offered(_ candidate: Strategies.Candidate) {
    // A step without a task is a task of its own.
    let task = candidate.task == 0 ? UInt64(candidate.id) : candidate.task
    offers.append(Offer(id: candidate.id, task: task, priority: priority(of: task)))
  }

  /// Returns the priority to which the task fell last, or else a random one above those.
  private func priority(of task: UInt64) -> UInt64 {
    for fall in fallen.reversed() where fall.task == task { return fall.priority }
    var random = Strategies.SplitMix64(seed: salt, stream: task)
    return random.next() | 1 << 63
  }

  public mutating func withdrew(_ candidate: Strategies.Candidate) { took(candidate) }

  public mutating func took(_ candidate: Strategies.Candidate) {
    side.offersChanged()
    guard let index = offers.firstIndex(where: { $0.id == candidate.id }) else { return }
    offers.swapAt(index, offers.count - 1)
    offers.removeLast()
  }

  public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
    if let pick = side.pick(point) { return pick }
    // Tasks that spin to wait for each other come to an end in the natural order.
    if side.points > 4 * side.expected + 100 { return .option(0) }
    guard var top = highest() else { return .option(0) }
    while let change = changes.last, change.point <= side.points {
      changes.removeLast()
      fallen.append((offers[top].task, change.priority))
      offers[top].priority = change.priority
      top = highest() ?? top
    }
    return side.pick(offers[top].id, at: point)
  }

  private func highest() -> Int? { offers.indices.max { offers[$0].priority < offers[$1].priority } }

  public mutating func used(_ lock: Int) {}

  public mutating func divide(_ part: Int, of parts: Int) {}

  public mutating func ended(_ summary: Strategies.ExecutionSummary) { side.ended() }

  public mutating func roundEnded() { side.roundEnded() }
}
