import Foundation
import Simulator
import SimulatorStrategies

/// The variants of the catalog that are to hold, by the tool itself. The others are left out: to explain what they
/// violate would take most of the time.
struct Catalog {
  let simrun: String
  let options: Options

  /// Under each strategy the same number of schedules of every variant.
  func run() -> Tally {
    // By nature there is one schedule of each.
    var total = turn("natural", schedules: 1)
    guard total.schedules > 0 else { return total + failed("natural", "ran nothing") }
    // A search that comes to its own end is not as expected where it has not come to it.
    let strategies = Strategies.Named.all.filter { !($0.make() is any Strategies.Covering) }.map(\.name)
      .filter { $0 != "natural" }
    let turns = strategies.count * total.schedules
    let each = (options.catalog + turns - 1) / turns
    for strategy in strategies where each > 0 {
      total = total + turn(strategy, schedules: each)
      say("\(strategy): \(each) schedules of each variant, \(total.schedules) so far")
    }
    return total
  }

  private func turn(_ strategy: String, schedules: Int) -> Tally {
    let child = Process()
    let output = Pipe()
    child.executableURL = URL(filePath: simrun)
    child.arguments = [
      "--holding", "--format=json", "--strategy=\(strategy)", "--schedules=\(schedules)",
      "--seed=\(options.seed)", "--jobs=\(options.jobs)",
    ]
    child.currentDirectoryURL = options.folder
    child.standardOutput = output
    guard (try? child.run()) != nil else { return failed(strategy, "could not be started") }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    child.waitUntilExit()
    guard let report = try? JSONDecoder().decode(Report.self, from: data) else {
      return failed(strategy, "ended with \(child.terminationStatus) and without a report")
    }
    let tally = tally(report, strategy)
    return child.terminationStatus == 0 || tally.faults > 0
      ? tally : tally + failed(strategy, "ended with \(child.terminationStatus)")
  }

  private func tally(_ report: Report, _ strategy: String) -> Tally {
    var tally = Tally()
    for scenario in report.scenarios {
      for variant in scenario.variants {
        tally.schedules += variant.schedules
        guard !variant.violated.isEmpty else { continue }
        tally.faults += 1
        let tokens = variant.violations.map(\.replay).joined(separator: ", ")
        say(
          "fault \(scenario.name), \(variant.name), \(strategy), seed \(options.seed): \(variant.violated): \(tokens)"
        )
      }
    }
    return tally
  }

  private func failed(_ strategy: String, _ how: String) -> Tally {
    say("\(simrun) --strategy=\(strategy) \(how)")
    return Tally(failures: 1)
  }

  private struct Report: Decodable {
    let scenarios: [Scenario]

    struct Scenario: Decodable {
      let name: String
      let variants: [Variant]
    }

    struct Variant: Decodable {
      let name: String
      let violated: [String]
      let schedules: Int
      let violations: [Violation]
    }

    struct Violation: Decodable {
      let replay: String
    }
  }
}
