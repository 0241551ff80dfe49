internal import SimulatorCore
internal import SimulatorKernel
internal import SimulatorStrategies
internal import SimulatorStrategyInterface

/// The joint outcome of operations: the result of each, and what is observed when all have returned.
struct JointOutcome: Hashable, Sendable {
  let answers: [Answer]
  let observed: Answer

  /// Returns the number of its parts that equal those of `other`.
  func likeness(to other: JointOutcome) -> Int {
    zip(answers, other.answers).count { $0 == $1 } + (observed == other.observed ? 1 : 0)
  }
}

/// The outcomes of operations that run one after another.
struct HonestOutcomes: Sendable {
  struct Shown: Sendable {
    let order: [Int]
    let outcome: JointOutcome
  }

  private(set) var shown: [Shown] = []
  private var outcomes: Set<JointOutcome> = []
  /// The reason why there may be more outcomes; nil if there are none.
  private(set) var gap: String?
  /// The report of a violation that appeared one after another; nil if nothing was violated.
  private(set) var failure: Explorer.Report?

  func contains(_ outcome: JointOutcome) -> Bool { outcomes.contains(outcome) }

  /// Returns the outcome that has most in common with `outcome`, the first of several.
  func nearest(to outcome: JointOutcome) -> Shown? {
    shown.max { $0.outcome.likeness(to: outcome) < $1.outcome.likeness(to: outcome) }
  }

  private mutating func add(_ order: [Int], _ outcome: JointOutcome) {
    if outcomes.insert(outcome).inserted { shown.append(Shown(order: order, outcome: outcome)) }
  }
}

extension HonestOutcomes {
  /// The greatest number of schedules that are tried for one order.
  private static var mostSchedules: Int { 2_000 }

  /// Runs the operations of `subject` in every order in which those of each client keep theirs. Tries each order under
  /// every schedule, at most `limit` schedules in all. Ends when an order yields `wanted`.
  init<Subject>(
    of subject: Serializable<Subject>, _ options: Simulation.Options, seed: UInt64,
    until wanted: JointOutcome? = nil, atMost limit: Int = .max
  ) {
    var left = limit
    for order in Self.orders(of: subject.operations.map(\.client)) {
      guard left > 0 else {
        gap = "not all orders were tried"
        return
      }
      let found = Guarded<[JointOutcome]>([])
      var explorer = Explorer(name: "one after another", options: options) { _ in
        let outcome = await subject.outcome(inOrder: order)
        found.withLock { if !$0.contains(outcome) { $0.append(outcome) } }
      }
      explorer.strategy = Strategies.ExhaustiveReduced()
      explorer.seed = seed
      explorer.budget.schedules = min(left, Self.mostSchedules)
      // They run in this process, so that their outcomes are known here.
      explorer.freshness = .unchecked
      explorer.isolation = .none
      let report = explorer.explore()
      left -= report.schedules
      for outcome in found.withLock(\.self) { add(order, outcome) }
      guard report.violations.isEmpty else {
        failure = report
        return
      }
      if let wanted, contains(wanted) { return }
      if report.coverage == nil {
        gap = "not all schedules of one order were tried"
      } else if report.hasTimeRanges || report.choseDurationEagerly {
        gap = "something takes a range of time, of which some moments were tried"
      }
    }
  }

  /// Returns all orders of `clients.count` operations in which those of one client keep theirs; at most 120 for five.
  static func orders(of clients: [Int]) -> [[Int]] {
    var orders: [[Int]] = []
    func extend(_ order: [Int]) {
      if order.count == clients.count { orders.append(order) }
      for next in clients.indices where !order.contains(next) {
        let waits = clients.indices.contains {
          $0 < next && clients[$0] == clients[next] && !order.contains($0)
        }
        if !waits { extend(order + [next]) }
      }
    }
    extend([])
    return orders
  }
}

extension Serializable {
  fileprivate func outcome(inOrder order: [Int]) async -> JointOutcome {
    let subject = await make()
    var answers: [Int: Answer] = [:]
    for index in order { answers[index] = await operations[index].perform(subject) }
    return JointOutcome(
      answers: operations.indices.compactMap { answers[$0] }, observed: await observe(subject))
  }

  /// Runs the operations, each client in its own task, and returns their joint outcome.
  func outcomeSideBySide() async -> JointOutcome {
    let subject = await make()
    var answers: [Int: Answer] = [:]
    await withTaskGroup(of: [Int: Answer].self) { group in
      for client in 0..<clients {
        group.addTask {
          var own: [Int: Answer] = [:]
          for index in operations.indices where operations[index].client == client {
            own[index] = await operations[index].perform(subject)
          }
          return own
        }
      }
      for await own in group { answers.merge(own) { one, _ in one } }
    }
    return JointOutcome(
      answers: operations.indices.compactMap { answers[$0] }, observed: await observe(subject))
  }
}
