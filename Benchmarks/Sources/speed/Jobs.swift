import Foundation
@_spi(Benchmarks) import Scenarios
import Simulator

/// How much sooner several processes come to the end of one search: real time, one process and several in turns.
enum Jobs {
  private static let turns = 5
  private static let schedules = 100_000

  static func print(_ jobs: Int) throws {
    Swift.print("one search of \(schedules) schedules, s of real time (medians of \(turns) turns)")
    Swift.print("".padding(toLength: 40, withPad: " ", startingAt: 0) + "  1 job   \(jobs) jobs     ×   same")
    let (options, body) = try ScenarioSpeed.inbox()
    measure("inbox-refresh-anytime hardened", jobs, options, body)
    measure("lost update of two tasks", jobs, Simulation.Options()) { simulation in await lostUpdate() }
  }

  private static func measure(
    _ title: String, _ jobs: Int, _ options: Simulation.Options,
    _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) {
    var times: [[Double]] = [[], []]
    var reports: [Set<Data>] = [[], []]
    for turn in 0..<2 * turns {
      var explorer = Explorer(name: "jobs", options: options, body: body)
      explorer.jobs = turn % 2 == 0 ? 1 : jobs
      explorer.budget.schedules = schedules
      explorer.budget.violationsToFind = nil
      let start = ContinuousClock.now
      let report = explorer.explore()
      times[turn % 2].append((ContinuousClock.now - start) / .seconds(1))
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      if let bytes = try? encoder.encode(report) { reports[turn % 2].insert(bytes) }
    }
    let (one, several) = (times[0].sorted()[turns / 2], times[1].sorted()[turns / 2])
    let isSame = reports[0] == reports[1] && reports[0].count == 1
    Swift.print(
      title.padding(toLength: 40, withPad: " ", startingAt: 0)
        + String(format: "%7.2f %8.2f %5.2f   ", one, several, one / several) + (isSame ? "yes" : "NO"))
    if !isSame { exit(1) }
  }
}
