public import SimulatorStrategyInterface

extension Strategies {
  /// Greybox search over relations (Wolff, Shi, Duck, Mathur, Roychoudhury: Greybox Fuzzing for Concurrency Testing,
  /// ASPLOS 2024, sections 3 and 4, the tool named RFF there).
  ///
  /// From an execution it learns which piece of code came directly after which other one on the same actor, queue,
  /// lock, or atomic: which value a read saw, which of two calls to a fake came first, which step got a lock. An
  /// execution gets a few such relations as goals; random priorities decide the rest. A set of goals that led to a new
  /// relation is kept and changed again, those that were chosen least first. The relations added to it are random, with
  /// a preference for those seen least.
  ///
  /// Every fourth execution, on average, has no goals.
  public struct Feedback: Strategies.PartObserver, Strategies.RoundObserver, Strategies.Divisible,
    Strategies.Foreseeing
  {
    private struct Entry {
      let goals: ContiguousArray<RelationTable.Relation>
      var uses = 0
    }

    /// An execution of this round.
    private struct Shown {
      let relations: ContiguousArray<RelationTable.Relation>
      let goals: ContiguousArray<RelationTable.Relation>
      let entry: Int?
    }

    private static let mostEntries = 1_024
    private static let mostGoals = 6

    private var side = Strategies.SideChoices()
    private var locks = PartLocks()
    private var table = RelationTable()
    private var entries: ContiguousArray<Entry> = []
    private var replaced = 0
    private var fresh: ContiguousArray<Shown> = []

    /// The goals of this execution, and the entry that they were made from.
    private var wanted: ContiguousArray<RelationTable.Relation> = []
    private var entry: Int?
    private var goals = RelationGoals()
    /// A salt with which each task keeps its priority from step to step; nil if each step gets its own.
    private var salt: UInt64?
    /// The places of this execution, and the last event at each.
    private var places = PathTable()
    private var last: ContiguousArray<UInt64> = []
    /// The relations of this execution.
    private var seen = PathTable()
    private var relations: ContiguousArray<RelationTable.Relation> = []
    /// The running event.
    private var running: UInt64 = 0

    /// Creates a search by feedback.
    public init() {}

    public var followsCandidates: Bool { true }
    public var followsParts: Bool { true }

    public mutating func began(_ number: Int, seed: UInt64) {
      side.began(number, seed: seed)
      locks.began()
      places.keepFirst(0)
      last.removeAll(keepingCapacity: true)
      seen.keepFirst(0)
      relations.removeAll(keepingCapacity: true)
      salt = side.random.below(3) == 0 ? side.random.next() : nil
      want()
      goals.began(wanted)
    }

    /// Generates the goals of this execution.
    private mutating func want() {
      wanted.removeAll(keepingCapacity: true)
      entry = nil
      guard !table.isEmpty, side.random.below(4) > 0 else { return }
      if !entries.isEmpty, side.random.below(3) > 0 {
        let index = drawEntry()
        entry = index
        wanted = entries[index].goals
        if !wanted.isEmpty, side.random.below(3) == 0 { wanted.remove(at: side.random.below(wanted.count)) }
      }
      repeat {
        if wanted.count == Self.mostGoals { wanted.remove(at: side.random.below(wanted.count)) }
        wanted.append(table.draw(&side.random))
      } while side.random.below(3) == 0
    }

    /// Returns the least chosen of three random entries.
    private mutating func drawEntry() -> Int {
      var best = side.random.below(entries.count)
      for _ in 1..<3 {
        let other = side.random.below(entries.count)
        if entries[other].uses < entries[best].uses { best = other }
      }
      return best
    }

    public mutating func offered(_ candidate: Strategies.Candidate) {
      locks.offered(candidate)
      let priority = salt.map { Digest.mix($0, candidate.task) } ?? side.random.next()
      goals.insert(candidate.id, at: place(of: candidate), event: event(of: candidate), priority: priority)
    }

    public mutating func withdrew(_ candidate: Strategies.Candidate) {
      side.offersChanged()
      goals.remove(candidate.id, at: place(of: candidate))
    }

    public mutating func took(_ candidate: Strategies.Candidate) {
      side.offersChanged()
      let place = place(of: candidate)
      goals.remove(candidate.id, at: place)
      locks.took(candidate)
      running = event(of: candidate)
      happens(at: place)
    }

    public mutating func used(_ lock: Int) {
      if locks.used(lock) { happens(at: Self.name(of: lock)) }
    }

    /// Returns the place where the candidate meets others; 0 for none.
    private func place(of candidate: Strategies.Candidate) -> UInt64 {
      let object = locks.object(of: candidate)
      if object != 0 { return Self.name(of: object) }
      return candidate.kind == .parked ? 0 : candidate.place
    }

    private static func name(of lock: Int) -> UInt64 { Digest.mix(0x4C4F_434B, UInt64(lock)) | 1 }

    private func event(of candidate: Strategies.Candidate) -> UInt64 {
      Digest.mix(UInt64(candidate.kind.rawValue), candidate.code) | 1
    }

    private mutating func happens(at place: UInt64) {
      guard place != 0 else { return }
      let number = places.find(place) ?? places.add(place)
      if number == last.count { last.append(0) }
      let relation = RelationTable.Relation(place: place, before: last[number], after: running)
      last[number] = running
      let name = Digest.mix(Digest.mix(place, relation.before), running)
      if seen.find(name) == nil {
        _ = seen.add(name)
        relations.append(relation)
      }
      goals.happens(running, at: place)
    }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      if let pick = side.pick(point) { return pick }
      return goals.top().map { side.pick($0, at: point) } ?? .option(0)
    }

    package mutating func likelyNext(options: Int) -> Strategies.Pick? { goals.top().map { .candidate($0) } }

    public mutating func divide(_ part: Int, of parts: Int) {}

    public mutating func ended(_ summary: Strategies.ExecutionSummary) {
      side.ended()
      fresh.append(Shown(relations: relations, goals: wanted, entry: entry))
    }

    public mutating func roundEnded() {
      side.roundEnded()
      locks.roundEnded()
      for shown in fresh {
        if let entry = shown.entry { entries[entry].uses += 1 }
        let new = table.add(shown.relations)
        if let first = new.first { keep(shown.goals, and: first) }
      }
      fresh.removeAll(keepingCapacity: true)
    }

    private mutating func keep(
      _ goals: ContiguousArray<RelationTable.Relation>, and new: RelationTable.Relation
    ) {
      var goals = goals
      if !goals.contains(new), goals.count < Self.mostGoals { goals.append(new) }
      let entry = Entry(goals: goals)
      if entries.count < Self.mostEntries {
        entries.append(entry)
      } else {
        entries[replaced % Self.mostEntries] = entry
        replaced += 1
      }
    }
  }
}

extension SchedulingStrategy where Self == Strategies.Feedback {
  /// Prefers the relations that were seen least: `Strategies.Feedback`.
  public static var feedback: Strategies.Feedback { Strategies.Feedback() }
}
