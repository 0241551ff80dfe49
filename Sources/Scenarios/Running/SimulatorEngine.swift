import Foundation
import Simulator

/// Runs scenarios and tells what became of them.
struct SimulatorEngine: ScenarioEngine {
  let systems: [any System.Type]
  /// Whether this executable, started again, is a worker. Otherwise everything is played in this process.
  var startsWorkers = false

  func run(_ request: RunRequest, on terminal: Terminal) throws -> ToolStatus {
    try RuntimeControl.verify()
<<<<<<< HEAD
    try terminal.line(RunText.heading(request))
    let clock = ContinuousClock()
    let start = clock.now
    var tally = Tally(isStrict: request.isStrict)
    let played = try play(request.entries.map(\.scenario), request.pool, on: terminal) { index, result in
      tally.add(result)
      try terminal.line("")
      try terminal.line(RunText.of(result, file: request.entries[index].file))
    }
    tally.end(played)
    try terminal.line("")
    try terminal.line(tally.summary)
    terminal.complain(tally.pace(in: clock.now - start))
    return tally.status
  }

  /// Plays scenarios and hands over what became of each, in their order.
  private func play(
    _ scenarios: [Scenario], _ settings: PoolSettings, on terminal: Terminal,
    deliver: @escaping WorkerPool.Deliver
  ) throws -> WorkerPool.Summary {
    guard startsWorkers else {
      for (index, scenario) in scenarios.enumerated() {
        try deliver(index, ScenarioRunner(scenario: scenario, type: try type(of: scenario)).run())
      }
      return WorkerPool.Summary()
    }
    return try WorkerPool(scenarios, settings, on: terminal, deliver: deliver).play()
=======
    var reporter = try RunReporter(request, on: terminal)
    for entry in request.entries {
      let result = ScenarioRunner(scenario: entry.scenario, type: try type(of: entry.scenario)).run()
      try reporter.add(result, file: entry.file)
    }
    return try reporter.finish()
>>>>>>> main
  }

  func tell(_ card: SystemCard, _ entries: [RunRequest.Entry], on terminal: Terminal) throws {
    guard let first = entries.first else { return }
    try RuntimeControl.verify()
    let hardest = entries.first { $0.scenario.search.exhaustDeviations != nil } ?? first
    var results: [ScenarioResult] = []
    let scenarios = [first.scenario, hardest.scenario.whereHolding]
    let played = try play(scenarios, PoolSettings(), on: terminal) { results.append($1) }
    if case .signal(let signal) = played.ending { throw Interruption(signal: signal) }
    try terminal.line(StoryText(card: card, told: results[0], file: first.file, proof: results[1]).text)
  }

  func audit(_ scenario: Scenario, on terminal: Terminal) throws {
    try RuntimeControl.verify()
    let type = try type(of: scenario)
    var runner = ScenarioRunner(scenario: scenario, type: type)
    runner.confinement = .forReplays
    let natural = ScheduleToken(schedule: .natural, digest: 0)
    let audits = scenario.expectations.map { expectation in
      (expectation.variant, Audit(runner.explorer(expectation.variant).replay(natural).execution))
    }
    try terminal.line(AuditText.of(scenario, audits))
  }

  func replay(_ request: ReplayRequest, on terminal: Terminal) throws -> ToolStatus {
    try RuntimeControl.verify()
    var runner = ScenarioRunner(scenario: request.scenario, type: try type(of: request.scenario))
    runner.confinement = .forReplays
    let token = try ScheduleToken(parsing: request.token)
    let result = runner.explorer(request.variant).replay(token)
    try terminal.line(ReplayText.of(result, request))
    return result.divergence == nil && !result.execution.violations.isEmpty ? .asExpected : .notAsExpected
  }

  /// What is wrong with a token; nil if it can be read.
  static func tokenFlaw(_ text: String) -> String? {
    do throws(ScheduleToken.ParsingError) {
      _ = try ScheduleToken(parsing: text)
      return nil
    } catch {
      return error.description
    }
  }

  private func type(of scenario: Scenario) throws -> any System.Type {
    guard let type = systems.first(where: { $0.card.name == scenario.system }) else {
      throw UnknownName("system", scenario.system)
    }
    return type
  }
}
<<<<<<< HEAD

/// What a run adds up to.
private struct Tally {
  let isStrict: Bool
  private var scenarios = 0
  private var variants = 0
  private var schedules = 0
  private var steps = 0
  private var unexpected: [String] = []

  init(isStrict: Bool) {
    self.isStrict = isStrict
  }

  private var stopped = 0
  private var played = WorkerPool.Summary()

  /// What was cut short is a failure only where nothing may be left untested.
  var status: ToolStatus {
    if case .signal(let signal) = played.ending { return Interruption(signal: signal).status }
    let isCutShort = isStrict && played.ending == .timeLimit && stopped + played.notBegun > 0
    return unexpected.isEmpty && !isCutShort ? .asExpected : .notAsExpected
  }

  mutating func end(_ played: WorkerPool.Summary) { self.played = played }

  mutating func add(_ result: ScenarioResult) {
    scenarios += 1
    variants += result.variants.count
    schedules += result.variants.reduce(0) { $0 + $1.report.schedules }
    steps += result.variants.reduce(0) { $0 + $1.report.steps }
    stopped += result.variants.count(where: \.isStopped)
    if !result.isAsExpected || (isStrict && !result.vacuities.isEmpty) {
      unexpected.append(result.scenario.name)
    }
  }

  /// One line, in which nothing depends on the machine.
  var summary: String {
    let all =
      "\(scenarios.counted("scenario")), \(variants.counted("variant")), \(schedules.counted("schedule"))"
    let verdict =
      unexpected.isEmpty ? "all as expected" : "not as expected: \(unexpected.joined(separator: ", "))"
    guard let cutShort else { return Self.wrapped("\(all): \(verdict)") }
    let soFar = unexpected.isEmpty ? "nothing unexpected so far" : verdict
    return Self.wrapped("\(all): \(soFar)") + "\n" + Self.wrapped(cutShort)
  }

  private static func wrapped(_ text: String) -> String {
    TwoColumns.wrapped(text).joined(separator: "\n")
  }

  /// That there was more to be done; nil if there was not.
  private var cutShort: String? {
    guard played.ending != .finished, stopped + played.notBegun > 0 else { return nil }
    let why = played.ending == .timeLimit ? "the time limit" : "a signal"
    let left = [
      stopped > 0 ? "\(stopped.counted("variant")) not searched to the end" : nil,
      played.notBegun > 0 ? "\(played.notBegun.counted("scenario")) not begun" : nil,
    ]
    return "ended by \(why): " + left.compactMap(\.self).joined(separator: ", ")
  }

  /// One line about the wall clock, for standard error.
  func pace(in duration: Duration) -> String {
    let seconds = max(
      1e-9, Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18)
    return String(
      format: "%.1f s, %.0f schedules/s, %.0f steps/s\n", seconds, Double(schedules) / seconds,
      Double(steps) / seconds)
  }
}

extension Int {
  /// The number with its noun: `1 schedule`, `2 schedules`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
=======
>>>>>>> main
