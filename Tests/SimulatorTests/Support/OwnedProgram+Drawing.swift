extension OwnedProgram {
  /// The program number `seed`.
  init(seed: UInt64) {
    var drawer = Drawer(seed)
    operations = drawer.operations(3 + drawer.below(6), depth: 0)
  }

  private struct Drawer {
    private var state: UInt64
    private var lastID = 0
    /// Of few kinds, so that they get into each other's way.
    private var kinds: [Int] = []

    init(_ seed: UInt64) {
      state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15
      kinds = (0..<5).map { _ in below(Self.kinds) } + [0, 1, 3, 3]
    }

    /// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
    mutating func below(_ bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((z ^ (z >> 31)) % UInt64(bound))
    }

    mutating func operations(_ count: Int, depth: Int) -> [Operation] {
      (0..<count).map { _ in operation(depth: depth) }
    }

    private mutating func body(_ depth: Int) -> Body {
      lastID += 1
      let id = lastID
      return Body(id: id, operations: depth < 2 ? operations(below(3), depth: depth + 1) : [])
    }

    private mutating func queue() -> Int { below(queueSlots) }
    private mutating func other() -> Int { below(otherSlots) }
    private mutating func one<Kind>(of all: [Kind]) -> Kind { all[below(all.count)] }

    private mutating func target(below slot: Int) -> Target {
      switch below(slot > 0 ? 6 : 4) {
      case 0: .none
      case 1: .own
      case 2: .chain
      case 3: .global
      default: .slot(below(slot))
      }
    }

    private static let kinds = 28

    private mutating func operation(depth: Int) -> Operation {
      let kind = kinds[below(kinds.count)]
      if kind < 9 || kind > 25 { return onQueue(kind, depth) }
      let queue = queue()
      let other = other()
      switch kind {
      case 9: return .makeGroup(other)
      case 10: return .dropGroup(other)
      case 11: return .inGroup(other, queue: queue, body(depth))
      case 12: return .enterAndLeave(other, queue: queue)
      case 13: return .notify(other, queue: queue, body(depth))
      case 14: return .makeItem(other, body(depth))
      case 15: return .dropItem(other)
      case 16: return .submit(other, queue: queue)
      case 17: return .cancel(other)
      case 18: return .notifyItem(other, queue: queue, body(depth))
      case 19: return .timer(queue, one(of: TimerKind.allCases), body(depth))
      case 20:
        let underlying: Int? = other == 0 ? queue : nil
        let kind = one(of: OperationsKind.allCases)
        return .operations(kind, underlying: underlying, (0..<1 + below(3)).map { _ in body(depth) })
      case 21: return .semaphore(queue, body(depth))
      case 22: return .perform(1 + below(3), body(2))
      case 23: return .thread(body(depth))
      case 24: return .serialExecutor(queue, body(depth))
      default: return .taskExecutor(queue, body(depth))
      }
    }

    private mutating func onQueue(_ kind: Int, _ depth: Int) -> Operation {
      let queue = queue()
      switch kind {
      case 0: return .makeQueue(queue, one(of: QueueKind.allCases), target(below: queue))
      case 1: return .dropQueue(queue)
      case 2: return .makeQueue(queue, .inactive, target(below: queue))
      case 4: return .barrier(queue, body(depth))
      case 5: return .after(queue, milliseconds: 1 + below(2), body(depth))
      case 6 where depth == 0: return .sync(queue, body(depth + 1))
      case 7 where depth == 0: return .suspended(queue, body(depth))
      case 8: return .keeps(queue, isReplaced: below(2) == 0)
      default: return .async(queue, body(depth))
      }
    }
  }
}
