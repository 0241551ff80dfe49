import CThreads
import Simulator
import SimulatorStrategies
import Synchronization

/// What the simulation shows of a program.
struct Simulated {
  /// How an outcome came about: the points of some executions in their order.
  var orders: [String: [[Int]]] = [:]
  /// Whether these are all outcomes of whole steps.
  var isComplete = false
  /// What must not be.
  var faults: [String] = []
  var schedules = 0
  /// Where a program draws random numbers, what it comes to in executions that draw them, and the program without chance that
  /// comes to an outcome.
  var drawn: Set<String> = []
  var makers: [String: Program] = [:]

  var outcomes: Set<String> { Set(orders.keys) }

  /// The reduced search, and some schedules of the portfolio beside it. Where tasks share locks, the depth-first search too.
  init(_ program: Program, schedules most: Int) {
    var ended: [(name: String, outcomes: Set<String>)] = []
    if program.isRandom {
      ended = reduceAll(program, most)
    } else {
      let reduced = run(program, Strategies.ExhaustiveReduced(), most)
      if reduced.report.coverage == .everyBehavior { ended.append(("reduced", Set(reduced.orders.keys))) }
    }
    if program.isLocked {
      let first = run(program, Strategies.ExhaustiveDFS(), ended.isEmpty ? most : most / 2)
      if first.report.coverage == .everySchedule { ended.append(("depth-first", Set(first.orders.keys))) }
    }
    isComplete = !ended.isEmpty
    let isShort = isComplete && !program.isRandom
    let portfolio = run(program, Strategies.Portfolio(), isShort ? most / 5 : most * 2)
    drawn = Set(portfolio.orders.keys)
    for search in ended {
      let missed = outcomes.subtracting(search.outcomes).sorted()
      faults += missed.map { "the \(search.name) search has ended and lacks \($0), which another shows" }
    }
    if isComplete, program.blockers > 0 { compareNarrow(program, most) }
  }

  /// A search in order draws once. So each number that may be drawn is put in its place, and searched for itself.
  private mutating func reduceAll(
    _ program: Program, _ most: Int
  ) -> [(name: String, outcomes: Set<String>)] {
    var all: Set<String> = []
    var areComplete = true
    for fixed in program.withAllDraws {
      let reduced = run(fixed, Strategies.ExhaustiveReduced(), most)
      if reduced.report.coverage != .everyBehavior { areComplete = false }
      for outcome in reduced.orders.keys where makers[outcome] == nil { makers[outcome] = fixed }
      all.formUnion(reduced.orders.keys)
    }
    return areComplete ? [("reduced", all)] : []
  }

  /// With one thread more than there are tasks that may block, nothing is lost, and nothing hangs.
  private mutating func compareNarrow(_ program: Program, _ most: Int) {
    let threads = program.blockers + 1
    let narrow = search(program, Strategies.ExhaustiveReduced(), most, poolThreads: threads)
    faults += narrow.report.violations.map { "on \(threads) threads \($0.invariant): \($0.message)" }
    faults += Set(narrow.orders.keys).subtracting(outcomes).sorted().map {
      "the search has ended and lacks \($0), which \(threads) threads show"
    }
    guard narrow.report.coverage == .everyBehavior else { return }
    faults += outcomes.subtracting(narrow.orders.keys).sorted().map {
      "the search on \(threads) threads has ended and lacks \($0)"
    }
  }

  private mutating func run(
    _ program: Program, _ strategy: any SchedulingStrategy, _ most: Int
  ) -> (orders: [String: [[Int]]], report: Explorer.Report) {
    let found = search(program, strategy, most, checks: !(strategy is Strategies.Portfolio))
    add(found.orders)
    schedules += found.report.schedules
    faults += found.report.violations.map { "\($0.invariant): \($0.message)" }
    return found
  }

  mutating func add(_ more: [String: [[Int]]]) {
    for (outcome, ways) in more { orders[outcome, default: []] += ways }
  }
}

/// What a strategy shows of a program to which some liberty is given.
func search(
  _ program: Program, _ strategy: any SchedulingStrategy, _ schedules: Int, _ liberty: Liberty = Liberty(),
  seed: UInt64 = 0, checks: Bool = false, poolThreads: Int? = nil
) -> (orders: [String: [[Int]]], report: Explorer.Report) {
  let found = Found()
  var options = Simulation.Options()
  options.foreignThreadTimeout = .zero
  options.poolThreads = poolThreads ?? Int(threads_of_pool())
  options.steps =
    !program.isLocked ? .atomic : program.isQueued && !program.sharesText ? .asNeeded : .preemptible
  var explorer = Explorer(name: "program \(program.number)", options: options) { _ in
    let recording = Recording(liberty)
    let outcome = await program.outcome(recording)
    // The root of an execution that has come to no end is cancelled and run out, which is no part of it.
    if !Task.isCancelled { found.add(outcome, recording.order) }
  }
  explorer.checksDeterminism = checks
  explorer.seed = seed
  explorer.budget.schedules = schedules
  explorer.budget.violationsToFind = nil
  explorer.budget.shrinkingExecutions = 0
  explorer.strategy = strategy
  let report = explorer.explore()
  return (found.orders, report)
}

private final class Found: Sendable {
  private let found = Mutex<[String: [[Int]]]>([:])

  var orders: [String: [[Int]]] { found.withLock { $0 } }

  /// Keeps a few ways to each outcome.
  func add(_ outcome: String, _ order: [Int]) {
    found.withLock { found in
      if found[outcome, default: []].count < 4 { found[outcome, default: []].append(order) }
    }
  }
}
