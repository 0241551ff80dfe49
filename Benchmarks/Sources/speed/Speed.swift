import CFloor
import Foundation
import Simulator
import SimulatorStrategies
import SmallActor

/// Prints the engine's figures, each beside the floor measured in the same run.
///
/// `speed STRATEGY …` prints only the lost updates and the yields, under those strategies; `speed levels` only what the levels
/// of steps cost, `speed scenarios` what judging costs, `speed actor` what a test of a small actor costs, `speed lengths
/// STRATEGY … FAMILY …` what steps cost in long executions, `speed jobs N` what N processes save, `speed peers` programs that
/// others were measured on. For a tool that counts instructions: `speed LEVEL COUNT` runs so many schedules of one program at
/// that level, `speed judged COUNT` and `speed unjudged COUNT` of one scenario, `speed floor|random|portfolio COUNT` of the
/// actor, `speed length STRATEGY FAMILY TASKS ROUNDS` a long execution.
@main enum Speed {
  static func main() throws {
    if let fault = RuntimeControl.fault { fatalError(fault.description) }
    print("build: \(Schedule.Token.Build.current.rawValue)\n")
    let named = CommandLine.arguments.dropFirst()
    if named.elementsEqual(["levels"]) { return Levels.print() }
    if named.elementsEqual(["actor"]) { return ActorSpeed.print() }
    if named.count == 2, let name = named.first, ["floor", "random", "portfolio"].contains(name) {
      if Int(named.last ?? "") != nil { return ActorSpeed.run(count(named), under: name) }
    }
    if named.elementsEqual(["scenarios"]) { return try ScenarioSpeed.print() }
    if named.elementsEqual(["peers"]) { return Peers.print() }
    if named.first == "jobs" { return try Jobs.print(named.count == 1 ? 2 : count(named)) }
    if named.first == "lengths" { return Lengths.print(Array(named.dropFirst())) }
    if named.first == "length" {
      guard !Lengths.run(Array(named.dropFirst())) else { return }
      FileHandle.standardError.write(
        Data(
          "speed: `speed length STRATEGY FAMILY TASKS ROUNDS`, as in `speed length random sleeping 100 100`\n"
            .utf8))
      exit(2)
    }
    if let level = named.first.flatMap(Simulation.Options.Steps.init) {
      return Levels.run(count(named), level)
    }
    if let kind = named.first, ["judged", "unjudged"].contains(kind) {
      return try ScenarioSpeed.run(count(named), isJudged: kind == "judged")
    }
    let chosen = strategies.filter { named.isEmpty || named.contains($0.name) }
    lostUpdates(chosen)
    yields(chosen)
    guard named.isEmpty else { return }
    tickersAndTime()
    alive()
    memory()
    Levels.print()
  }

  private static func count(_ arguments: ArraySlice<String>) -> Int {
    if arguments.count == 2, let count = arguments.last.flatMap({ Int($0) }), count > 0 { return count }
    FileHandle.standardError.write(
      Data("speed: how many schedules? as in `speed \(arguments.first ?? "") 1500`\n".utf8))
    exit(2)
  }

  /// Each strategy beside three floors, taking turns, because the machine's own speed changes.
  private static func lostUpdates(_ strategies: [Strategies.Named]) {
    print("two-task lost update, schedules/s (medians of \(turns) turns)")
    let count = 20_000
    let ring = RingExecutor()
    var rings: [Double] = []
    var hooked: [Double] = []
    var inline: [Double] = []
    var rates: [String: [Double]] = [:]
    for _ in 0..<turns {
      rings.append(rate(count) { for _ in 0..<count { ring.run(lostUpdate) } })
      hooked.append(rate(count) { floor(count, hopsEnqueue: 1, lostUpdate) })
      inline.append(rate(count) { floor(count, hopsEnqueue: 0, lostUpdate) })
      for strategy in strategies {
        rates[strategy.name, default: []].append(explored(count, strategy, lostUpdate))
      }
    }
    print("floor: a FIFO ring as a task executor".padded, rings.median.whole)
    print("leaner: a C ring in the hook, hops enqueued".padded, hooked.median.whole)
    print("leanest: the same, hops run inline".padded, inline.median.whole)
    print("every hop controlled:".padded, "       of each floor")
    for strategy in strategies {
      let rate = rates[strategy.name]?.median ?? 0
      let ratios = [rings, hooked, inline].map { (rate / $0.median).hundredths }
      print("  \(strategy.name)".padded, rate.whole, ratios.joined(separator: " "))
    }
  }

  private static func yields(_ strategies: [Strategies.Named]) {
    let total = 100 * 20
    let count = 30
    print("\n100 tasks × 20 yields, ns a yield (medians of \(turns) turns)")
    let ring = RingExecutor()
    let body: @Sendable () async -> Void = { await yielders(tasks: 100, yields: 20) }
    var floors: [Double] = []
    var costs: [String: [Double]] = [:]
    // The reduced search compares every pair of yields on the pool: it is not made for programs like this.
    let fit = strategies.filter { $0.name != "reduced" }
    for _ in 0..<turns {
      floors.append(1e9 / rate(total * count) { for _ in 0..<count { ring.run(body) } })
      for strategy in fit {
        costs[strategy.name, default: []].append(1e9 / explored(count, strategy, body) / Double(total))
      }
    }
    print("floor: a FIFO ring as a task executor".padded, floors.median.whole)
    for strategy in fit {
      let cost = costs[strategy.name]?.median ?? 0
      print("  \(strategy.name)".padded, cost.whole, "×", (cost / floors.median).hundredths)
    }
  }

  private static func tickersAndTime() {
    var options = Simulation.Options()
    options.timeLimit = .seconds(10_000)
    let times = (0..<3).map { _ in
      elapsed { _ = Explorer.once(options) { await tickers(tasks: 100, ticks: 3_600) } }
    }
    print("\n100 tickers × 3,600 ticks (an hour of virtual time)")
    print("one execution, ms".padded, (times.median * 1000).whole)
  }

  /// The cost of a round beyond the first ones, so that making and freeing the tasks is not counted.
  private static func alive() {
    print("\nns a step with so many alive      yielding    floor    sleeping")
    let ring = RingExecutor()
    for tasks in [10, 1_000, 100_000] {
      let rounds = max(6, 600_000 / tasks)
      let yielding = marginal(tasks, rounds) { rounds in
        _ = Explorer.once { await yielders(tasks: tasks, yields: rounds) }
      }
      let floor = marginal(tasks, rounds) { rounds in
        ring.run { await yielders(tasks: tasks, yields: rounds) }
      }
      var options = Simulation.Options()
      options.timeLimit = .seconds(10_000_000)
      let sleeping = marginal(tasks, rounds) { rounds in
        _ = Explorer.once(options) { await tickers(tasks: tasks, ticks: rounds) }
      }
      print(
        String(format: "%-32@ %9.0f %8.0f %11.0f", "\(tasks)" as NSString, yielding, floor, sleeping))
    }
  }

  private static func marginal(_ tasks: Int, _ rounds: Int, _ run: (Int) -> Void) -> Double {
    let few = [elapsed { run(rounds) }, elapsed { run(rounds) }].min() ?? 0
    let many = [elapsed { run(rounds * 3) }, elapsed { run(rounds * 3) }].min() ?? 0
    return (many - few) * 1e9 / Double(tasks * rounds * 2)
  }

  private static func memory() {
    guard let random = Strategies.Named.named("random") else { fatalError("random search has gone") }
    _ = explored(10_000, random, lostUpdate)
    let few = residentKilobytes()
    _ = explored(990_000, random, lostUpdate)
    let many = residentKilobytes()
    print("\nresident memory: \(few) kB after 10,000 schedules, \(many) kB after 1,000,000")
  }
}

extension Speed {
  private static let turns = 7

  private static let strategies = Strategies.Named.all.filter { $0.name != "natural" }

  /// Executions a second; an exhaustive search is begun again until it has run as many schedules.
  private static func explored(
    _ schedules: Int, _ strategy: Strategies.Named, _ body: @escaping @Sendable () async -> Void
  ) -> Double {
    var explorer = Explorer(name: strategy.name) { _ in await body() }
    explorer.checksDeterminism = false
    explorer.strategy = strategy.make()
    explorer.budget.violationsToFind = nil
    explorer.budget.schedules = schedules
    var done = 0
    let seconds = elapsed { while done < schedules { done += explorer.explore().schedules } }
    return Double(done) / seconds
  }

  private static func floor(_ count: Int, hopsEnqueue: Int32, _ body: @escaping @Sendable () async -> Void) {
    floor_begin()
    for _ in 0..<count {
      Task { await body() }
      floor_run(hopsEnqueue)
    }
    floor_end()
  }

  private static func elapsed(_ body: () -> Void) -> Double {
    let duration = ContinuousClock().measure(body)
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }

  private static func rate(_ count: Int, _ body: () -> Void) -> Double { Double(count) / elapsed(body) }

  private static func residentKilobytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }
}

extension Explorer {
  /// One execution in the natural order, of which nothing is kept.
  fileprivate static func once(
    _ options: Simulation.Options = Simulation.Options(), _ body: @escaping @Sendable () async -> Void
  ) -> Int {
    var options = options
    options.stepLimitPerInstant = .max
    var explorer = Explorer(name: "once", options: options) { _ in await body() }
    explorer.checksDeterminism = false
    explorer.strategy = Strategies.NaturalOrder()
    explorer.budget.schedules = 1
    return explorer.explore().steps
  }
}

extension [Double] {
  fileprivate var median: Double { sorted()[count / 2] }
}

extension Double {
  fileprivate var whole: String { String(format: "%10.0f", self) }
  fileprivate var hundredths: String { String(format: "%6.2f", self) }
}

extension String {
  fileprivate var padded: String { padding(toLength: 44, withPad: " ", startingAt: 0) }
}
