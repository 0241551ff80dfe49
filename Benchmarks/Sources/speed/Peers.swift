import Foundation
import Simulator
import SimulatorStrategies

/// Programs that others have been measured on, beside what was measured of them, on other machines and within a fifth.
enum Peers {
  private static let turns = 5

  static func print() {
    Swift.print("schedules/s (medians of \(turns) turns)".padded + "     here   shuttle 0.9")
    for (title, strategy, theirs) in [
      ("lost update of two tasks, random", "random", "167k; loom 12k–20k"), ("  PCT", "pct", "108k"),
      ("  depth first", "exhaustive", "84k; loom 12k–20k"),
    ] {
      row(title, rate(20_000, strategy, lostUpdate), theirs)
    }
    for (tasks, yields, count, theirs) in [
      (10, 5, 4_000, ["28.7k", "12.6k", "15.0k"]), (50, 10, 400, ["2,450", "718", "1,395"]),
      (100, 20, 100, ["672", "114", "274"]),
    ] {
      for (strategy, figure) in zip(["random", "pct", "urw"], theirs) {
        let rate = rate(count, strategy) { await yielders(tasks: tasks, yields: yields) }
        row("\(tasks) tasks × \(yields) yields, \(strategy)", rate, figure)
      }
    }
    Swift.print("\nschedules until all are tried".padded + "      here    shuttle 0.9, dejafu")
    row("lost update of two tasks, depth first", covered("exhaustive", 2), "26")
    row("  reduced", covered("reduced", 2), "6 (dejafu)")
    row("lost update of three tasks, depth first", covered("exhaustive", 3), "1,653")
    row("  reduced", covered("reduced", 3), "90 (dejafu)")
  }

  private static func row(_ title: String, _ figure: Double, _ theirs: String) {
    Swift.print(title.padded + String(format: "%9.0f", figure) + "   " + theirs)
  }

  private static func explorer(
    _ strategy: String, _ body: @escaping @Sendable () async -> Void
  ) -> Explorer {
    var explorer = Explorer(name: strategy) { _ in await body() }
    explorer.checksDeterminism = false
    guard let named = Strategies.Named.named(strategy) else {
      fatalError("no strategy is called \(strategy)")
    }
    explorer.strategy = named.make()
    explorer.budget.violationsToFind = nil
    return explorer
  }

  private static func rate(
    _ count: Int, _ strategy: String, _ body: @escaping @Sendable () async -> Void
  ) -> Double {
    var explorer = explorer(strategy, body)
    explorer.budget.schedules = count
    let rates = (0..<turns).map { _ in
      var done = 0
      let time = ContinuousClock().measure {
        while done < count { done += explorer.explore().schedules }
      }
      return Double(done) / (time / .seconds(1))
    }
    return rates.sorted()[turns / 2]
  }

  private static func covered(_ strategy: String, _ tasks: Int) -> Double {
    var explorer = explorer(strategy) { await lostUpdate(of: tasks) }
    explorer.budget.schedules = 1_000_000
    return Double(explorer.explore().coveredSchedules)
  }
}

extension String {
  fileprivate var padded: String { padding(toLength: 44, withPad: " ", startingAt: 0) }
}
