extension Strategies {
  /// Partial order sampling (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018, the algorithm
  /// named POS there).
  ///
  /// Every pending step has a random priority and the highest runs; those that race with it, which are the ones
  /// on the same domain, draw again.
  ///
  /// Where steps overlap, each part of a step between two points at which it may be left draws its own priority; it races
  /// with those that begin with the same lock or atomic.
  ///
  /// The step that runs on a domain is the highest there, and then all that stay behind draw anew. So only the
  /// highest priority of a domain is ever looked at, and it is drawn directly: the largest of m random numbers.
  /// A step costs O(log n), however many wait for one domain.
  public struct POS: Strategies.PartObserver, Strategies.RoundObserver, Strategies.Divisible,
    Strategies.Foreseeing
  {
    private struct Lane {
      var members: ContiguousArray<Strategies.Candidate.ID> = []
      /// The member with the highest priority.
      var holder = 0
      var highest: UInt64 = 0
    }

    private var side = SideChoices()
    private var locks = PartLocks()
    /// Steps on the pool under their own ids; the best of a domain under the id of its holder.
    private var offers = OfferHeap()
    /// Of domains at even places, of locks and atomics at odd ones.
    private var lanes: ContiguousArray<Lane> = []
    private var used = 0

    /// Partial order sampling.
    public init() {}

    public var followsCandidates: Bool { true }
    public var followsParts: Bool { true }

    public mutating func began(_ number: Int, seed: UInt64) {
      side.began(number, seed: seed)
      offers.removeAll()
      locks.began()
      for lane in 0..<used { lanes[lane].members.removeAll(keepingCapacity: true) }
      used = 0
    }

    public mutating func offered(_ candidate: Strategies.Candidate) {
      let priority = side.random.next() | 1
      locks.offered(candidate)
      let domain = lane(of: candidate)
      if domain == 0 {
        offers.insert(candidate.id, task: 0, priority: priority)
        return
      }
      while lanes.count <= domain { lanes.append(Lane()) }
      used = max(used, domain + 1)
      lanes[domain].members.append(candidate.id)
      let count = lanes[domain].members.count
      guard count == 1 || priority > lanes[domain].highest else { return }
      if count > 1 { offers.remove(lanes[domain].members[lanes[domain].holder]) }
      hold(domain, count - 1, priority)
    }

    /// The lane of the steps that race with it; 0 for none. The domain of a step that stands is closed: nothing there races
    /// with it.
    @inline(__always)
    private func lane(of candidate: Strategies.Candidate) -> Int {
      let object = locks.object(of: candidate)
      if object != 0 { return 2 * object + 1 }
      return candidate.kind == .standing ? 0 : 2 * candidate.domain
    }

    public mutating func took(_ candidate: Strategies.Candidate) {
      locks.took(candidate)
      withdrew(candidate)
    }

    public mutating func used(_ lock: Int) { _ = locks.used(lock) }

    public mutating func withdrew(_ candidate: Strategies.Candidate) {
      side.forgetDecision()
      let domain = lane(of: candidate)
      if domain == 0 { return offers.remove(candidate.id) }
      let holder = lanes[domain].holder
      offers.remove(lanes[domain].members[holder])
      remove(candidate.id, domain)
      let left = lanes[domain].members.count
      guard left > 0 else { return }
      hold(domain, side.random.below(left), largest(of: left) | 1)
    }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      if let pick = side.pick(point) { return pick }
      return offers.top().map { side.answer(point, $0.id) } ?? .option(0)
    }

    private mutating func hold(_ domain: Int, _ member: Int, _ priority: UInt64) {
      lanes[domain].holder = member
      lanes[domain].highest = priority
      offers.insert(lanes[domain].members[member], task: 0, priority: priority)
    }

    /// O(1) for the holder, whom this strategy's own picks take.
    private mutating func remove(_ id: Strategies.Candidate.ID, _ domain: Int) {
      let holder = lanes[domain].holder
      let last = lanes[domain].members.count - 1
      guard
        let index = lanes[domain].members[holder] == id ? holder : lanes[domain].members.firstIndex(of: id)
      else { return }
      lanes[domain].members[index] = lanes[domain].members[last]
      lanes[domain].members.removeLast()
    }

    /// The largest of `count` random numbers, without drawing them: bit by bit, of those that are still the
    /// largest either some have the next bit set, and go on alone, or none has.
    private mutating func largest(of count: Int) -> UInt64 {
      var contenders = count
      var value: UInt64 = 0
      var bit: UInt64 = 1 << 63
      while contenders > 1, bit != 0 {
        let set = ones(among: contenders)
        if set > 0 {
          value |= bit
          contenders = set
        }
        bit >>= 1
      }
      return bit == 0 ? value : value | side.random.next() & (bit << 1 &- 1)
    }

    /// How many of `count` random bits are set.
    private mutating func ones(among count: Int) -> Int {
      var rest = count
      var found = 0
      while rest > 0 {
        let bits = side.random.next()
        found += (rest >= 64 ? bits : bits & (1 << UInt64(rest) &- 1)).nonzeroBitCount
        rest -= 64
      }
      return found
    }

    mutating func likelyNext(options: Int) -> Strategies.Pick? { offers.top().map { .candidate($0.id) } }

    public mutating func divide(_ part: Int, of parts: Int) {}

    public mutating func ended(_ summary: Strategies.ExecutionSummary) { side.ended() }

    public mutating func roundEnded() {
      side.roundEnded()
      locks.roundEnded()
    }
  }
}

extension SchedulingStrategy where Self == Strategies.POS {
  /// Partial order sampling: ``Strategies/POS``.
  public static var pos: Strategies.POS { Strategies.POS() }
}
