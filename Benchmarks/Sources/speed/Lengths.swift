import Foundation
import Simulator
import SimulatorStrategies

/// What a step costs in long executions and among many tasks and timers, as a ratio to the same strategy among a hundred.
///
/// Processor time that an execution takes more than one of half its length, by the steps that it has more: making the tasks,
/// and what a strategy does once an execution, is not in it. The same programs run on a ``FloorExecutor`` first, which shows by
/// how much the runtime's own cost a step grows.
enum Lengths {
  /// Starts a task of a program, where it is to run.
  fileprivate typealias Start = @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>

  private struct Program {
    let title: String
    let tasks: Int
    let rounds: Int

    init(_ title: String, tasks: Int, rounds: Int) {
      self.title = title
      self.tasks = tasks
      self.rounds = rounds
    }

    var halfAsLong: Program { Program(title, tasks: tasks, rounds: rounds / 2) }
  }

  private struct Family {
    let name: String
    let title: String
    let programs: [Program]
    /// What each task does in one round.
    let round: @Sendable (_ task: Int, _ round: Int) async -> Void
  }

  private static let hundred = Program("100", tasks: 100, rounds: 1_000)
  private static let million = Program("100, 10⁶ steps", tasks: 100, rounds: 10_000)
  private static let tenThousand = Program("10⁴", tasks: 10_000, rounds: 60)
  private static let thousand = Program("10³", tasks: 1_000, rounds: 20)
  private static let fewRounds = Program("10⁴", tasks: 10_000, rounds: 10)
  private static let hundredThousand = Program("10⁵", tasks: 100_000, rounds: 10)

  private static let families = [
    Family(
      name: "yielding", title: "yielding tasks alive",
      programs: [hundred, million, tenThousand, hundredThousand],
      round: { _, _ in await Task.yield() }),
    Family(
      name: "sleeping", title: "sleeping tasks alive", programs: [hundred, tenThousand, hundredThousand],
      round: { _, _ in try? await Task.sleep(for: .seconds(1)) }),
    Family(
      name: "uneven", title: "sleeping tasks alive, each with times of its own",
      programs: [hundred, tenThousand, hundredThousand],
      round: { task, round in try? await Task.sleep(for: uneven(task, round)) }),
    Family(
      name: "ranges", title: "sleeping tasks alive, the same, of which each sleep may end a second late",
      programs: [hundred, thousand, fewRounds],
      round: { task, round in try? await Task.sleep(for: uneven(task, round), tolerance: .seconds(1)) }),
  ]

  /// About a second, of its own for each task and round.
  private static func uneven(_ task: Int, _ round: Int) -> Duration {
    .nanoseconds(1_000_000_000 + task * 7_919 % 10_007 * 1_000 + round)
  }

  /// Of the strategies and families in `names`, or of all.
  static func print(_ names: [String]) {
    let strategies = Strategies.Named.all.filter {
      // The reduced search compares every pair of yields on the pool: it is not made for programs like these.
      $0.name != "reduced" && isNamed($0.name, in: names, of: Strategies.Named.all.map(\.name))
    }
    for family in families where isNamed(family.name, in: names, of: families.map(\.name)) {
      print(family, strategies)
    }
  }

  /// Two executions of one program, for a tool that counts instructions or samples: a strategy or `floor` or `chance`, a
  /// family, how many tasks and rounds. False where `arguments` are others.
  static func run(_ arguments: [String]) -> Bool {
    guard arguments.count == 4, let family = families.first(where: { $0.name == arguments[1] }),
      let tasks = Int(arguments[2]), let rounds = Int(arguments[3])
    else { return false }
    let program = Program("", tasks: tasks, rounds: rounds)
    switch (arguments[0], Strategies.Named.named(arguments[0])) {
    case ("floor", _): _ = floor(program, family, .arrival)
    case ("chance", _): _ = floor(program, family, .chance)
    case (_, let strategy?): _ = seconds(program, family, strategy)
    default: return false
    }
    return true
  }

  /// Whether `names` has this one, or none of its kind.
  private static func isNamed(_ name: String, in names: [String], of all: [String]) -> Bool {
    names.contains(name) || !names.contains(where: all.contains)
  }

  private static func print(_ family: Family, _ strategies: [Strategies.Named]) {
    Swift.print("\nns of processor time a step, × the first column; \(family.title):")
    Swift.print(
      pad("", 18)
        + family.programs.map { String(repeating: " ", count: 24 - $0.title.count) + $0.title }.joined())
    printRow("floor", family) { floor($0, family, .arrival) }
    printRow("floor, by chance", family) { floor($0, family, .chance) }
    for strategy in strategies { printRow(strategy.name, family) { seconds($0, family, strategy) } }
  }

  private static func printRow(_ name: String, _ family: Family, _ seconds: (Program) -> Double) {
    // The programs in turns, each the same number of times and the fastest of each: what disturbs the machine for a while
    // disturbs all of them, and none has more tries than another.
    let programs = family.programs.flatMap { [$0, $0.halfAsLong] }
    let turns = (0..<3).map { _ in programs.map(seconds) }
    let fastest = programs.indices.map { index in turns.map { $0[index] }.min() ?? 0 }
    let costs = family.programs.enumerated().map { index, program in
      (fastest[2 * index] - fastest[2 * index + 1]) * 1e9 / Double(program.tasks * program.rounds / 2)
    }
    let columns = costs.map { String(format: "%16.0f ×%6.2f", $0, $0 / costs[0]) }
    Swift.print(pad(name, 18) + columns.joined())
    // Each line when it is there: all together take long.
    fflush(nil)
  }

  /// The second of two executions: the first is in the natural order under every strategy.
  private static func seconds(_ program: Program, _ family: Family, _ strategy: Strategies.Named) -> Double {
    var options = Simulation.Options(foreignThreadTimeout: .zero)
    options.timeLimit = .seconds(10_000_000)
    options.stepLimitPerInstant = .max
    let began = Moments()
    var explorer = Explorer(name: strategy.name, options: options) { _ in
      began.add()
      await run(program, family) { body in Task { await body() } }
    }
    explorer.checksDeterminism = false
    explorer.strategy = strategy.make()
    explorer.budget.violationsToFind = nil
    explorer.budget.schedules = 2
    _ = explorer.explore()
    return began.sinceLast
  }

  /// The second of two runs on a ``FloorExecutor``.
  private static func floor(_ program: Program, _ family: Family, _ order: FloorExecutor.Order) -> Double {
    let executor = FloorExecutor(order)
    let began = Moments()
    for _ in 0..<2 {
      began.add()
      Task(executorPreference: executor) {
        await run(program, family) { body in Task(executorPreference: executor) { await body() } }
      }
      executor.run()
    }
    return began.sinceLast
  }

  // Unstructured tasks: the runtime looks through all children of a group when one of them ends, which is quadratic where a
  // hundred thousand end in an order drawn by chance.
  private static func run(_ program: Program, _ family: Family, _ start: Start) async {
    let (rounds, round) = (program.rounds, family.round)
    let tasks = (0..<program.tasks).map { task in
      start { for number in 0..<rounds { await round(task, number) } }
    }
    for task in tasks { await task.value }
  }

  private static func pad(_ text: String, _ length: Int) -> String {
    text.padding(toLength: length, withPad: " ", startingAt: 0)
  }

  private final class Moments: @unchecked Sendable {
    // @unchecked Sendable because one thread runs the executions and reads this after them.
    private var last = clock()
    func add() { last = clock() }
    var sinceLast: Double { Double(clock() - last) / Double(CLOCKS_PER_SEC) }
  }
}
