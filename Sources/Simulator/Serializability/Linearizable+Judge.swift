internal import SimulatorCore
public import SimulatorKernel
public import SimulatorStrategyInterface

extension Linearizable {
  /// The name of the invariant: some order of the operations that respects which returned before which began satisfies
  /// the specification.
  public static var linearizable: String { "linearizable" }

  /// Runs the operations side by side, once, in the running simulation, and judges what each returns.
  ///
  /// Call it in the body of a simulated test, or of any other search. Each operation is a call in the trace, and is
  /// judged by when it began and when it had returned.
  /// - Complexity: The search of Wing and Gong with Lowe's memory; O(2^n · n) steps of the specification for n
  ///   operations at worst. There may be 64.
  public func check() async {
    guard let simulation = Simulation.current else {
      fatalError("`check` is called inside a simulation, as in a simulated test; elsewhere it is `explore`")
    }
    let most = History.mostCalls
    refuse(
      if: operations.count + (offers.isEmpty ? 0 : limits.operations) > most,
      "at most \(most) operations can be judged together")
    refuse(
      if: operations.isEmpty && offers.isEmpty, "no operation is there to be judged; add one by `offering`")
    let tasks =
      operations.map { [$0] }
      + simulation.draw(of: offers.map(\.offer.name), limits).map { $0.map { offers[$0] } }
    let history = await history(of: tasks, in: simulation)
    let all = tasks.flatMap(\.self)
    let finding = history.linearized(from: model) { all[$0].apply(&$1) }
    if case .none(let longest, let next) = finding {
      let text = describe(history, all.map(\.offer.name), longest, next)
      simulation.fail(Self.linearizable, text)
    }
    simulation.requireJudged(Self.linearizable, tasks.count > 1)
  }

  /// Runs the operations side by side under many schedules, and judges what they return in each.
  ///
  /// - Parameters: As those of ``Serializable/explore(_:schedules:seed:strategy:options:)``.
  public func explore<Searching: SchedulingStrategy>(
    _ name: String = "side by side", schedules: Int = 1_000, seed: UInt64 = 0,
    strategy: Searching = .portfolio, options: Simulation.Options = Simulation.Options()
  ) -> Explorer.Report {
    var explorer = Explorer(name: name, options: options) { _ in await check() }
    explorer.budget.schedules = schedules
    explorer.seed = seed
    explorer.strategy = strategy
    return explorer.explore()
  }

  private func history(of tasks: [[Operation]], in simulation: Simulation) async -> History {
    let subject = await make()
    let clock = Clock(simulation)
    var calls: [History.Call] = []
    await withTaskGroup(of: [History.Call].self) { group in
      var first = 0
      for own in tasks {
        group.addTask { [first] in
          var calls: [History.Call] = []
          for (number, operation) in own.enumerated() {
            let (call, began) = clock.begins(operation.offer.name)
            let answer = await operation.offer.perform(subject)
            let ended = clock.ends(call, answer)
            calls.append(.init(operation: first + number, began: began, ended: ended, answer: answer))
          }
          return calls
        }
        first += own.count
      }
      for await own in group { calls += own }
    }
    return History(calls: calls.sorted { $0.operation < $1.operation })
  }

  private func describe(
    _ history: History, _ names: [String], _ longest: [Int], _ next: [Int: String]
  ) -> String {
    let calls = history.calls
    func text(_ call: Int) -> String { "\(names[calls[call].operation]): \(calls[call].answer.text)" }
    let all = calls.indices.sorted { calls[$0].began < calls[$1].began }.map(text)
    let refused = next.sorted { $0.key < $1.key }
      .map { "\(names[calls[$0.key].operation]) would come to \($0.value)" }
    let first = longest.isEmpty ? "At first" : "After \(longest.map(text).joined(separator: ", "))"
    return all.joined(separator: ", ")
      + ". No order of them that keeps which had returned before which began is one of the specification's. "
      + "\(first), \(refused.joined(separator: ", "))"
  }
}

/// Counts the beginnings and ends of operations, and records them in the trace.
private final class Clock: Sendable {
  private let simulation: Simulation
  private let count = Guarded(0)

  init(_ simulation: Simulation) { self.simulation = simulation }

  func begins(_ name: String) -> (Trace.Call, Int) {
    let call = simulation.call("operations", name)
    return (call, tick(.began(call)))
  }

  func ends(_ call: Trace.Call, _ answer: Answer) -> Int { tick(.ended(call, .returned(.text(answer.text)))) }

  private func tick(_ event: Trace.Event.Kind) -> Int {
    // The order in which they come is what is judged, so a search must try each.
    simulation.declareAccess(to: "the order of operations")
    simulation.record(event)
    return count.withLock { count in
      count += 1
      return count
    }
  }
}
