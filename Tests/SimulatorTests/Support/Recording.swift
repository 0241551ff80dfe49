import Simulator
import Synchronization

/// The options taken in each execution of an exploration.
final class Tapes: Sendable {
  private let all = Mutex<[[Int]]>([])

  var count: Int { all.withLock { $0.count } }
  var tapes: Set<[Int]> { all.withLock { Set($0) } }
  var inOrder: [[Int]] { all.withLock { $0 } }

  func add(_ tape: [Int]) { all.withLock { $0.append(tape) } }
}

/// The options that `strategy` takes in each of so many schedules of `body`, whatever that violates.
func tapes(
  of strategy: any Strategy, schedules: Int, seed: UInt64 = 0,
  _ body: @escaping @Sendable (Simulation) async throws -> Void
) -> [[Int]] {
  let tapes = Tapes()
  var explorer = Explorer(name: "test", body: body)
  explorer.seed = seed
  explorer.strategy = Recording(strategy, into: tapes)
  explorer.checksDeterminism = false
  explorer.budget.schedules = schedules
  explorer.budget.stopsAfter = nil
  _ = explorer.explore()
  return tapes.inOrder
}

/// Another strategy, whose picks it writes down as options.
struct Recording: Strategy {
  private var base: any Strategy
  private let tapes: Tapes
  private var tape: [Int] = []
  private var offers: [Candidate.ID] = []

  init(_ base: any Strategy, into tapes: Tapes) {
    self.base = base
    self.tapes = tapes
  }

  var followsCandidates: Bool { true }
  var followsDependencies: Bool { base.followsDependencies }
  var startsNaturally: Bool { base.startsNaturally }
  var isIndependent: Bool { base.isIndependent }
  var goal: Coverage? { base.goal }
  var covered: Coverage? { base.covered }
  mutating func planned(schedules: Int) { base.planned(schedules: schedules) }

  mutating func began(_ number: Int, seed: UInt64) {
    base.began(number, seed: seed)
    tape = []
    offers = []
  }

  mutating func offered(_ candidate: Candidate) {
    offers.insert(candidate.id, at: offers.firstIndex { $0 > candidate.id } ?? offers.count)
    if base.followsCandidates { base.offered(candidate) }
  }

  mutating func withdrew(_ candidate: Candidate) {
    offers.removeAll { $0 == candidate.id }
    if base.followsCandidates { base.withdrew(candidate) }
  }

  mutating func took(_ candidate: Candidate) {
    offers.removeAll { $0 == candidate.id }
    if base.followsCandidates { base.took(candidate) }
  }

  mutating func timePassed() { base.timePassed() }
  mutating func acted(_ action: Int) { base.acted(action) }
  mutating func accessed(_ object: SharedObject, _ access: SharedObject.Access) {
    base.accessed(object, access)
  }

  mutating func pick(_ point: ChoicePoint) -> Pick {
    let pick = base.pick(point)
    switch pick {
    case .option(let option): tape.append(option)
    case .candidate(let id): tape.append(offers.firstIndex(of: id) ?? -1)
    }
    return pick
  }

  mutating func ended(_ summary: ExecutionSummary) {
    base.ended(summary)
    tapes.add(tape)
  }

  mutating func roundEnded() { base.roundEnded() }
}
