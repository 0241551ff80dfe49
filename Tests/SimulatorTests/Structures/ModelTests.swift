// Release builds are not testable from outside.
#if DEBUG
  import TestEffort
  import Testing

  @testable import SimulatorCore
  @testable import SimulatorKernel
  @testable import SimulatorStrategies

  /// The scheduler's structures against naive models, under seeded random operations.
  @Suite struct `Structures` {
    /// An expectation for inner loops: `#expect` takes microseconds even where it holds.
    private func agree(_ isSo: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
      if !isSo { Issue.record("the model disagrees", sourceLocation: sourceLocation) }
    }

    private static var job: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(bitPattern: 16)! }

    private static func arrival(_ id: Strategies.Candidate.ID, domain: Int32 = 0) -> Arrival {
      unsafe Arrival(
        job: job, identity: 0, implementation: 0, domain: domain, task: Int32(id), id: id, kind: .start,
        isEnqueued: false, reopensDomain: false, isYield: false, priority: 0)
    }

    @Test(arguments: 0..<tries(5, more: 20, all: 20)) func `the run queue finds the k-th oldest offer`(
      _ seed: Int
    ) {
      var random = Strategies.SplitMix64(seed: UInt64(seed), stream: 0)
      let queue = RunQueue()
      var model: [(id: Strategies.Candidate.ID, offered: Bool, domain: Int32)] = []
      var next: Strategies.Candidate.ID = 0
      let most = [3, 60, 70, 500][seed % 4]
      for _ in 0..<4_000 {
        switch random.below(5) {
        case 0,
          1 where model.count < most:
          let offered = random.below(4) > 0
          let domain = Int32(random.below(3))
          queue.append(Self.arrival(next, domain: domain), offer: offered)
          model.append((next, offered, domain))
          next += UInt32(1 + random.below(2))
        case 2:
          let offers = model.filter(\.offered)
          guard !offers.isEmpty else { continue }
          let rank = random.below(offers.count)
          let slot = queue.find(rank)
          agree(queue.arrival(at: slot).id == offers[rank].id)
          agree(queue.rank(of: slot) == rank)
          queue.remove(slot)
          agree(queue.slot(of: offers[rank].id) == nil)
          model.removeAll { $0.id == offers[rank].id }
        case 3:
          guard !model.isEmpty else { continue }
          let index = random.below(model.count)
          guard let slot = queue.slot(of: model[index].id) else {
            Issue.record("\(model[index].id) is lost")
            continue
          }
          agree(queue.isOffered(slot) == model[index].offered)
          queue.setOffered(slot, !model[index].offered)
          model[index].offered.toggle()
        default:
          agree(queue.slot(of: next) == nil)
          let ids = queue.slots(onDomain: 1).map { queue.arrival(at: $0).id }
          agree(ids == model.filter { $0.domain == 1 }.map(\.id))
        }
        agree(queue.count == model.count)
        agree(queue.offers == model.count(where: \.offered))
      }
      queue.removeAll()
      agree(queue.count == 0 && queue.offers == 0)
    }

    @Test(arguments: 0..<tries(5, more: 20, all: 20)) func `a ticket falls in the share of one number`(
      _ seed: Int
    ) {
      var random = Strategies.SplitMix64(seed: UInt64(seed), stream: 2)
      var weights = Weights()
      var model = [Int](repeating: 0, count: [0, 1, 2, 3, 8, 33][seed % 6])
      weights.reset(count: model.count)
      for _ in 0..<300 {
        let number = random.below(40)
        if number >= model.count { model += [Int](repeating: 0, count: number + 1 - model.count) }
        model[number] = random.below(3) == 0 ? 0 : random.below(9)
        weights[number] = model[number]
        agree(weights.total == model.reduce(0, +))
        var ticket = 0
        for (number, weight) in model.enumerated() {
          for _ in 0..<weight {
            agree(weights.number(at: ticket) == number)
            ticket += 1
          }
        }
      }
    }

    @Test(arguments: 0..<tries(5, more: 20, all: 20))
    func `a table of paths forgets the last ones, and only those`(
      _ seed: Int
    ) {
      var random = Strategies.SplitMix64(seed: UInt64(seed), stream: 3)
      var table = PathTable()
      var model: [UInt64] = []
      for _ in 0..<400 {
        // Multiples of 64 come to the same slot of a small table.
        let key = UInt64(1 + random.below(4_000)) * (random.below(2) == 0 ? 64 : 1)
        agree(table.find(key) == model.firstIndex(of: key))
        if !model.contains(key) {
          agree(table.add(key) == model.count)
          model.append(key)
        }
        if random.below(10) == 0 {
          model.removeLast(random.below(min(model.count, 12) + 1))
          table.keepFirst(model.count)
        }
        agree(table.keys.elementsEqual(model))
        for (number, key) in model.enumerated() { agree(table.find(key) == number) }
      }
    }

    @Test(arguments: 0..<tries(5, more: 20, all: 20)) func `timers fire by deadline, then in the order set`(
      _ seed: Int
    ) {
      var random = Strategies.SplitMix64(seed: UInt64(seed), stream: 1)
      let timers = Timers()
      var model: [(deadline: Int64, task: Int32)] = []
      for number in 0..<3_000 {
        if random.below(5) < (number < 1_500 ? 3 : 2) {
          let deadline = Int64(random.below(50))
          unsafe timers.set(nil, deadline: deadline, task: Int32(number))
          let index = model.firstIndex { $0.deadline > deadline } ?? model.count
          model.insert((deadline, Int32(number)), at: index)
        } else if !model.isEmpty {
          agree(timers.earliest == model[0].deadline)
          agree(timers.popFirst().task == model[0].task)
          model.removeFirst()
        }
        agree(timers.count == model.count)
        guard number % 100 == 0 else { continue }
        let (low, high) = (Int64(random.below(25)), Int64(25 + random.below(30)))
        let inside = Set(model.map(\.deadline).filter { $0 > low && $0 < high }).sorted()
        agree(timers.deadlines(after: low, before: high, limit: 8) == Array(inside.prefix(8)))
      }
    }

    /// Everybody who has arrived and not left, and when the domain was last free.
    private struct Model {
      struct Entry {
        let id: Strategies.Candidate.ID
        let priority: UInt8
        var enqueued: Mailbox.Moment?
      }
      var entries: [Entry] = []
      var free: Mailbox.Moment = 0

      /// Nobody landed before it set out, of its priority or above; nor, of a higher one, before the domain was free.
      func mayRun(_ entry: Entry) -> Bool {
        !entries.contains { other in
          guard let enqueued = other.enqueued, other.priority >= entry.priority else { return false }
          return enqueued <= entry.id || (other.priority > entry.priority && enqueued <= free)
        }
      }
    }

    @Test(arguments: 0..<40) func `a mailbox lets no job run before one that must go first`(_ seed: Int) {
      var random = Strategies.SplitMix64(seed: UInt64(seed), stream: 2)
      let mailbox = Mailbox()
      var model = Model()
      var offered: Set<Strategies.Candidate.ID> = []
      var next: Strategies.Candidate.ID = 0
      let priorities: [UInt8] = seed % 2 == 0 ? [0] : [9, 17, 25]
      for _ in 0..<1_000 {
        switch random.below(5) {
        case 0, 1:
          let priority = priorities[random.below(priorities.count)]
          let id = next
          next += 1
          if !mailbox.mustWait(id, priority: priority) { offered.insert(id) }
          var entry = Model.Entry(id: id, priority: priority)
          if random.below(2) == 0 {
            mailbox.enqueued(id, priority: priority, at: next)
            entry.enqueued = next
          }
          model.entries.append(entry)
        case 2:
          guard let index = model.entries.indices.first(where: { model.entries[$0].enqueued == nil }) else {
            continue
          }
          model.entries[index].enqueued = next
          mailbox.enqueued(model.entries[index].id, priority: model.entries[index].priority, at: next)
        default:
          guard !offered.isEmpty else { continue }
          let id = offered.sorted()[random.below(offered.count)]
          guard let index = model.entries.firstIndex(where: { $0.id == id }) else { continue }
          offered.remove(id)
          let entry = model.entries.remove(at: index)
          if entry.enqueued != nil { offered.formUnion(mailbox.left(id, priority: entry.priority)) }
          model.free = next
          let floor = mailbox.becameFree(at: next)
          next += 1
          guard let floor else { break }
          for entry in model.entries where offered.contains(entry.id) && entry.priority < floor {
            offered.remove(entry.id)
            mailbox.holdBack(entry.id, priority: entry.priority)
          }
        }
        agree(offered == Set(model.entries.filter(model.mayRun).map(\.id)))
      }
    }
  }
#endif
