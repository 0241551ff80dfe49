import Foundation

/// All parts side by side, and the hardened variants of the catalog.
struct Whole {
  private let options: Options
  private let clock = ContinuousClock()

  init(_ options: Options) { self.options = options }

  /// Whether nothing was violated.
  func run() -> Bool {
    let began = clock.now
    let parts = (0..<options.jobs).map { Child(options.itself, options.arguments(part: $0)) }
    let ends = parts.map { $0.ended() }
    let programs = tell(
      "\(Control.all.count) programs, \(Control.own.count) of them our own",
      ends.reduce(0) { $0 + $1.schedules },
      since: began, isQuiet: ends.allSatisfy(\.isQuiet))
    guard let simrun = options.simrun else { return programs }
    let then = clock.now
    let catalog = Catalog(simrun: simrun, options: options).run()
    return tell("hardened variants", catalog.schedules, since: then, isQuiet: catalog.faults == 0) && programs
  }

  private func tell(_ what: String, _ schedules: Int, since: ContinuousClock.Instant, isQuiet: Bool) -> Bool {
    let seconds = max(1, Int((clock.now - since).components.seconds))
    let verdict = isQuiet ? "no violation" : "violations, see above"
    say("\(what): \(schedules) schedules in \(seconds) s, \(schedules / seconds) a second, \(verdict)")
    return isQuiet
  }
}

/// A process that runs one part; what it says of faults is passed on.
private struct Child {
  private let process = Process()
  private let output = Pipe()

  init(_ executable: URL, _ arguments: [String]) {
    process.executableURL = executable
    process.arguments = arguments
    process.standardOutput = output
    try? process.run()
  }

  /// What it printed, and whether it was content. Waits for its end.
  func ended() -> (schedules: Int, isQuiet: Bool) {
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    var schedules = 0
    for line in text.split(separator: "\n") {
      if line.hasPrefix("done ") {
        schedules = Int(line.dropFirst(5)) ?? schedules
      } else {
        say(String(line))
      }
    }
    return (schedules, process.terminationStatus == 0 && schedules > 0)
  }
}

/// The hardened variants of the catalog, by the tool itself.
private struct Catalog {
  let simrun: String
  let options: Options

  /// One turn under each strategy: how many schedules, and how many variants that must hold do not.
  func run() -> (schedules: Int, faults: Int) {
    let strategies = ["portfolio", "random", "pct", "pos", "urw", "surw", "feedback"]
    let each = max(1, options.catalog / (strategies.count * 97))
    var total = (schedules: 0, faults: 0)
    for strategy in strategies {
      let found = turn(strategy, schedules: each)
      total = (total.schedules + found.schedules, total.faults + found.faults)
    }
    return total
  }

  private func turn(_ strategy: String, schedules: Int) -> (schedules: Int, faults: Int) {
    let child = Process()
    let output = Pipe()
    child.executableURL = URL(filePath: simrun)
    child.arguments = [
      "--format=json", "--strategy=\(strategy)", "--schedules=\(schedules)", "--seed=\(options.seed)",
    ]
    child.currentDirectoryURL = options.folder
    child.standardOutput = output
    child.standardError = FileHandle.nullDevice
    guard (try? child.run()) != nil else { return (0, 1) }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    child.waitUntilExit()
    guard let report = try? JSONDecoder().decode(Report.self, from: data) else { return (0, 1) }
    var total = (schedules: 0, faults: 0)
    for scenario in report.scenarios {
      for variant in scenario.variants where variant.expected == [] {
        total.schedules += variant.schedules
        guard !variant.violated.isEmpty else { continue }
        total.faults += 1
        say("fault \(scenario.name), \(variant.name), \(strategy), seed \(options.seed): \(variant.violated)")
      }
    }
    return total
  }

  private struct Report: Decodable {
    let scenarios: [Scenario]

    struct Scenario: Decodable {
      let name: String
      let variants: [Variant]
    }

    struct Variant: Decodable {
      let name: String
      let expected: [String]?
      let violated: [String]
      let schedules: Int
    }
  }
}
