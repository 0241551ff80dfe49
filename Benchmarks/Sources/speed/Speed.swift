import CFloor
import Foundation
import Simulator

/// Prints the engine's figures, each beside the floor measured in the same run.
@main enum Speed {
  static func main() {
    if let fault = RuntimeControl.fault { fatalError(fault.description) }
    print("build: \(ScheduleToken.Build.current.rawValue)\n")
    lostUpdates()
    yields()
    tickersAndTime()
    alive()
    memory()
  }

  private static func lostUpdates() {
    print("two-task lost update, schedules/s (median of 5)")
    let count = 40_000
    var floors: [Double] = []
    var rings: [Double] = []
    var randoms: [Double] = []
    for _ in 0..<5 {
      floors.append(rate(count) { floor(count, hopsEnqueue: 0, lostUpdate) })
      rings.append(rate(count) { floor(count, hopsEnqueue: 1, lostUpdate) })
      randoms.append(rate(count) { explored(count, RandomWalk(), lostUpdate) })
    }
    row("floor: FIFO ring, hops run inline", floors.median)
    row("floor: FIFO ring, every hop enqueued", rings.median)
    row("random, every hop controlled", randoms.median)
    ratio("of the inline floor", zip(randoms, floors).map(/).median)
    ratio("of the enqueued floor", zip(randoms, rings).map(/).median)
  }

  private static func yields() {
    print("\n100 tasks × 20 yields, ns a yield")
    let total = 100 * 20
    var floors: [Double] = []
    var ours: [Double] = []
    let ring = RingExecutor()
    let body: @Sendable () async -> Void = { await yielders(tasks: 100, yields: 20) }
    for _ in 0..<9 {
      floors.append(1e9 / rate(total * 20) { for _ in 0..<20 { ring.run(body) } })
      ours.append(1e9 / rate(total * 20) { explored(17, RandomWalk(), body) })
    }
    row("floor: FIFO ring", floors.median)
    row("random", ours.median)
    ratio("× the floor", zip(ours, floors).map(/).median)
  }

  private static func tickersAndTime() {
    let seconds = elapsed {
      var options = ExecutionOptions()
      options.timeLimit = .seconds(10_000)
      _ = Explorer.once(options) { await tickers(tasks: 100, ticks: 3_600) }
    }
    print("\n100 tickers × 3,600 ticks (an hour of virtual time)")
    print(String(format: "%-44@ %10.0f ms", "one execution" as NSString, seconds * 1000))
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
      var options = ExecutionOptions()
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
    explored(10_000, RandomWalk(), lostUpdate)
    let few = residentKilobytes()
    explored(990_000, RandomWalk(), lostUpdate)
    let many = residentKilobytes()
    print("\nresident memory: \(few) kB after 10,000 schedules, \(many) kB after 1,000,000")
  }
}

extension Speed {
  private static func explored(
    _ schedules: Int, _ strategy: any Strategy, _ body: @escaping @Sendable () async -> Void
  ) {
    var explorer = Explorer(name: "speed") { _ in await body() }
    explorer.strategy = strategy
    explorer.budget.schedules = schedules
    explorer.budget.stopsAfter = nil
    precondition(explorer.explore().schedules == schedules)
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

  private static func row(_ name: String, _ value: Double) {
    print(String(format: "%-44@ %10.0f", name as NSString, value))
  }

  private static func ratio(_ name: String, _ value: Double) {
    print(String(format: "%-44@ %10.2f", name as NSString, value))
  }

  private static func residentKilobytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }
}

extension Explorer {
  /// One execution in the natural order, of which nothing is kept.
  fileprivate static func once(
    _ options: ExecutionOptions = ExecutionOptions(), _ body: @escaping @Sendable () async -> Void
  ) -> Int {
    var options = options
    options.stepsAtOneInstant = .max
    var explorer = Explorer(name: "once", options: options) { _ in await body() }
    explorer.checksDeterminism = false
    explorer.budget.schedules = 1
    return explorer.explore().steps
  }
}

extension [Double] {
  fileprivate var median: Double { sorted()[count / 2] }
}
