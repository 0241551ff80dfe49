import Foundation

/// All parts side by side, and then the variants of the catalog that are to hold.
struct Whole {
  private let options: Options
  private let clock = ContinuousClock()

  init(_ options: Options) { self.options = options }

  /// Whether all was run and nothing was violated.
  func run() -> Bool {
    let began = clock.now
    let parts = (0..<options.jobs).filter { options.share(of: $0) > 0 }
    let children = parts.map { Child(options.itself, options.arguments(part: $0)) }
    let programs = children.map { $0.ended() }.reduce(Tally(), +)
    tell("\(Control.all.count) programs, \(Control.own.count) of them our own", programs, since: began)
    guard let simrun = options.simrun else { return programs.isQuiet }
    let then = clock.now
    let catalog = Catalog(simrun: simrun, options: options).run()
    tell("variants of the catalog that are to hold", catalog, since: then)
    return programs.isQuiet && catalog.isQuiet
  }

  private func tell(_ what: String, _ tally: Tally, since: ContinuousClock.Instant) {
    let seconds = max(1, Int((clock.now - since).components.seconds))
    let pace = "\(tally.schedules) schedules in \(seconds) s, \(tally.schedules / seconds) a second"
    say("\(what): \(pace), \(tally.verdict)")
  }
}

/// What has been run, and what came of it.
struct Tally {
  var schedules = 0
  /// Programs that are violated, each time.
  var faults = 0
  /// Processes that did not do what they were asked for.
  var failures = 0

  var isQuiet: Bool { faults == 0 && failures == 0 }

  var verdict: String {
    let quiet = schedules > 0 ? "no violation" : "nothing was run"
    let violated = faults > 0 ? "violations, see above" : quiet
    return failures > 0 ? "\(violated); not all could be run, see above" : violated
  }

  static func + (a: Tally, b: Tally) -> Tally {
    Tally(
      schedules: a.schedules + b.schedules, faults: a.faults + b.faults, failures: a.failures + b.failures)
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

  /// What it printed. Waits for its end.
  func ended() -> Tally {
    guard process.processIdentifier > 0 else { return failed("could not be started") }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    var tally = Tally()
    for line in text.split(separator: "\n") {
      if line.hasPrefix("done ") {
        tally.schedules = Int(line.dropFirst(5)) ?? tally.schedules
      } else {
        tally.faults += 1
        say(String(line))
      }
    }
    let isAsSaid =
      process.terminationReason == .exit && process.terminationStatus == (tally.faults > 0 ? 1 : 0)
    return isAsSaid ? tally : tally + failed("ended with \(process.terminationStatus)")
  }

  private func failed(_ how: String) -> Tally {
    say("a process \(how): \(process.arguments ?? [])")
    return Tally(failures: 1)
  }
}
