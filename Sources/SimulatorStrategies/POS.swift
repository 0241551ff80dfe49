public import SimulatorStrategyInterface

extension Strategies {
  /// Partial order sampling (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018, the algorithm named
  /// POS there).
  ///
  /// Every pending step has a random priority, and the highest runs. The steps that race with it, which are those on
  /// the same domain, then get new priorities.
  ///
  /// With preemptible steps, each part of a step between two preemption points gets its own priority. It races with the
  /// parts that begin with the same lock or atomic.
  ///
  /// The step that runs on a domain is the highest there, and then all that remain get new priorities. So only the
  /// highest priority of a domain is ever looked at, and it is generated directly, as the largest of m random numbers.
  /// A step costs O(log n), regardless of the number of steps that wait for one domain.
  public struct POS: Strategies.PartObserver, Strategies.RoundObserver, Strategies.Divisible,
    Strategies.Foreseeing
  {
    private struct Lane {
      var members: ContiguousArray<Strategies.Candidate.ID> = []
      /// The member with the highest priority.
      var holder = 0
      var highest: UInt64 = 0
    }

    private var side = Strategies.SideChoices()
    private var locks = PartLocks()
    /// Steps on the pool under their own ids; the best of a domain under the id of its holder.
    private var offers = OfferHeap()
    /// The lanes of domains at even indices, those of locks and atomics at odd ones.
    private var lanes: ContiguousArray<Lane> = []
    private var used = 0

    /// Creates a strategy for partial order sampling.
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

    /// Returns the lane of the steps that race with the candidate; 0 for none. The domain of a parked step is closed,
    /// so nothing there races with it.
    @inline(__always)
    private func lane(of candidate: Strategies.Candidate) -> Int {
      let object = locks.object(of: candidate)
      if object != 0 { return 2 * object + 1 }
      return candidate.kind == .parked ? 0 : 2 * candidate.domain
    }

    public mutating func took(_ candidate: Strategies.Candidate) {
      locks.took(candidate)
      withdrew(candidate)
    }

    public mutating func used(_ lock: Int) { _ = locks.used(lock) }

    public mutating func withdrew(_ candidate: Strategies.Candidate) {
      side.offersChanged()
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
      return offers.top().map { side.pick($0.id, at: point) } ?? .option(0)
    }

    private mutating func hold(_ domain: Int, _ member: Int, _ priority: UInt64) {
      lanes[domain].holder = member
      lanes[domain].highest = priority
      offers.insert(lanes[domain].members[member], task: 0, priority: priority)
    }

    /// Removes a member. O(1) for the holder, which this strategy's own picks take.
    private mutating func remove(_ id: Strategies.Candidate.ID, _ domain: Int) {
      let holder = lanes[domain].holder
      let last = lanes[domain].members.count - 1
      guard
        let index = lanes[domain].members[holder] == id ? holder : lanes[domain].members.firstIndex(of: id)
      else { return }
      lanes[domain].members[index] = lanes[domain].members[last]
      lanes[domain].members.removeLast()
    }

    /// Returns the largest of `count` random numbers without generating them. It goes bit by bit: if some of the
    /// numbers that are still the largest have the next bit set, only those remain; otherwise all remain.
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

    /// Returns how many of `count` random bits are set.
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

    package mutating func likelyNext(options: Int) -> Strategies.Pick? {
      offers.top().map { .candidate($0.id) }
    }

    public mutating func divide(_ part: Int, of parts: Int) {}

    public mutating func ended(_ summary: Strategies.ExecutionSummary) { side.ended() }

    public mutating func roundEnded() {
      side.roundEnded()
      locks.roundEnded()
    }
  }
}

extension SchedulingStrategy where Self == Strategies.POS {
  /// Partial order sampling: `Strategies.POS`.
  public static var pos: Strategies.POS { Strategies.POS() }
}
