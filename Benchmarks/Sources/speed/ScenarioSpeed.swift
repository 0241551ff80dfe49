import Foundation
@_spi(Benchmarks) import Scenarios
import Simulator

/// What observing and judging costs: scenarios of the catalog beside the same bodies without either, in the same run.
///
/// Processor time is measured, so that what else the machine does changes little.
enum ScenarioSpeed {
  private static let turns = 7
  private static let schedules = 1_000

  private static let file = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "scenarios.json").path()

  private static let measured = [
    ("inbox-refresh-anytime", "hardened"), ("inbox-refresh-anytime", "naive"),
    ("write-after-fetch-anytime", "hardened"), ("same-thing-at-once-anytime", "hardened"),
    ("cancel-mid-write-anytime", "hardened"),
  ]

  /// All that the file names.
  private static let systems: [any System.Type] = [
    FlightStatus.self, InboxRefresh.self, SlowDismiss.self, WriteAfterFetch.self, SameThingAtOnce.self,
    CancelMidWrite.self,
  ]

  static func print() throws {
    Swift.print(
      "\nscenarios, schedules a second of processor time (medians of \(turns) turns, usual search)")
    Swift.print(pad("", 40) + "  unjudged    judged     ×")
    for (name, variant) in measured {
      let scenario = try MeasuredScenario(name, variant, in: file, systems: systems)
      print("\(name) \(variant)", scenario)
    }
  }

  /// So many schedules of the first one, for a tool that counts instructions.
  static func run(_ count: Int, isJudged: Bool) throws {
    let (name, variant) = measured[0]
    let scenario = try MeasuredScenario(name, variant, in: file, systems: systems)
    let done = explore(isJudged ? scenario.body : scenario.unjudged, scenario.options, count)
    Swift.print("\(done) schedules of \(name) \(variant)")
  }

  /// The body of the first one, and its options.
  static func inbox() throws -> (Simulation.Options, @Sendable (Simulation) async throws -> Void) {
    let (name, variant) = measured[0]
    let scenario = try MeasuredScenario(name, variant, in: file, systems: systems)
    return (scenario.options, scenario.body)
  }

  /// The two take turns, because the machine's own speed changes.
  private static func print(_ title: String, _ scenario: MeasuredScenario) {
    var unjudged: [Double] = []
    var judged: [Double] = []
    for _ in 0..<turns {
      unjudged.append(rate(scenario.unjudged, scenario.options))
      judged.append(rate(scenario.body, scenario.options))
    }
    let (bare, whole) = (unjudged.sorted()[turns / 2], judged.sorted()[turns / 2])
    Swift.print(pad(title, 40) + String(format: "%10.0f %9.0f %5.2f", bare, whole, bare / whole))
  }

  private static func rate(
    _ body: @escaping @Sendable (Simulation) async throws -> Void, _ options: Simulation.Options
  ) -> Double {
    let start = clock()
    let done = explore(body, options, schedules)
    return Double(done) / (Double(clock() - start) / Double(CLOCKS_PER_SEC))
  }

  private static func explore(
    _ body: @escaping @Sendable (Simulation) async throws -> Void, _ options: Simulation.Options, _ count: Int
  ) -> Int {
    var explorer = Explorer(name: "speed", options: options, body: body)
    explorer.checksDeterminism = false
    explorer.budget.shrinkingExecutions = 0
    explorer.budget.violationsToFind = nil
    explorer.budget.schedules = count
    return explorer.explore().schedules
  }

  private static func pad(_ text: String, _ length: Int) -> String {
    text.padding(toLength: length, withPad: " ", startingAt: 0)
  }
}
