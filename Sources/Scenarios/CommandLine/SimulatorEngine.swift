import Foundation
import ScenarioFiles
import Simulator
import SimulatorFiles

/// Runs scenarios and reports their results.
struct SimulatorEngine: ScenarioEngine {
  let systems: [any System.Type]
  /// Whether this executable, started again, is a worker. Otherwise everything is played in this process.
  var startsWorkers = false

  func run(_ request: RunRequest, on terminal: Terminal) throws -> ToolStatus {
    try RuntimeControl.verify()
    try refuseWithoutFreshProcesses(request.entries.map(\.scenario))
    var settings = request.pool
    var shards: ShardSet?
    if let division = request.division {
      switch division.choice {
      case .all(let count):
        return try runAll(ShardNumber.all(count), of: request, in: division, on: terminal)
      case .one(let shard):
        settings.shard = shard
        shards = division.set(of: shard)
      }
    }
    return try run(request, settings, shards, on: terminal)
  }

  private func run(
    _ request: RunRequest, _ settings: PoolSettings, _ shards: ShardSet?, on terminal: Terminal
  ) throws -> ToolStatus {
    let (scenarios, outputs) = (request.entries.map(\.scenario), request.outputs)
    var collector = RunCollector(scenarios, request.conditions(in: shards))
    // When standard output fails and there are files to write, the run goes on for them.
    var printer = ReportPrinter(
      outputs.format, outputs.detail(request.entries.map { ($0.file, $0.scenario.system) }), on: terminal,
      survivesFault: !outputs.files.isEmpty || request.recording != nil || request.stories != nil)
    try printer.begin(collector.report)
    var faults: [String] = []
    let ending = try play(scenarios, settings, on: terminal) { index, result in
      collector.prepare(result, of: scenarios[index], file: request.entries[index].file)
    } deliver: { index, result in
      faults += Self.withoutFreshProcesses(result)
      try printer.add(collector.add(result, file: request.entries[index].file))
    }
    if startsWorkers { collector.report.warnings += Machine.warnings }
    if let stories = request.stories {
      let findings = StoryFinding.all(in: collector.report, of: scenarios)
      let result = try record(findings, by: stories, after: ending, settings, on: terminal)
      collector.report.warnings += result.remarks
      faults += result.faults.map(\.description)
      collector.report.recorded = result.recorded
    }
    collector.finish(ending) { report in
      if request.recording == nil { return report.recorded }
      let recording = request.recording?.perform(report)
      faults += recording?.faults.map(\.description) ?? []
      return recording?.recorded ?? []
    }
    try printer.finish(collector.report)
    faults += outputs.write(collector.report)
    faults.forEach(terminal.error)
    if outputs.hasTimings { terminal.complain(RunText.pace(collector.report)) }
    if let fault = printer.fault { throw fault }
    return faults.isEmpty ? ToolStatus(of: collector.report) : .failure
  }

  /// Plays scenarios and hands over the result of each, in their order.
  func play(
    _ scenarios: [Scenario], _ settings: PoolSettings, on terminal: Terminal,
    arrive: @escaping (Int, VariantResult) -> Void = { _, _ in }, deliver: @escaping WorkerPool.Deliver
  ) throws -> RunEnding {
    guard startsWorkers else { return try playHere(scenarios, settings.shard, deliver) }
    let pool = WorkerPool(scenarios, settings, on: terminal, deliver: deliver)
    pool.arrive = arrive
    do throws(WorkerFault) {
      try pool.start()
    } catch {
      terminal.error("\(error). Everything is played in this process, and code that ends it ends all")
      return try playHere(scenarios, settings.shard, deliver)
    }
    return try pool.play()
  }

  private func playHere(
    _ scenarios: [Scenario], _ shard: ShardNumber?, _ deliver: WorkerPool.Deliver
  ) throws -> RunEnding {
    for (index, scenario) in scenarios.enumerated() {
      var runner = ScenarioRunner(scenario: scenario, type: try type(of: scenario))
      runner.shard = shard
      try deliver(index, Machine.asOutside { runner.run() })
    }
    return RunEnding()
  }

  func explain(
    _ descriptors: [SystemDescriptor], _ entries: [RunRequest.Entry], on terminal: Terminal
  ) throws -> [SystemExplanation] {
    let played = descriptors.flatMap { descriptor in
      Self.played(entries.filter { $0.scenario.system == descriptor.name })
    }
    guard !played.isEmpty else { return descriptors.map { SystemExplanation($0, []) } }
    try RuntimeControl.verify()
    var results: [(file: String, result: ScenarioResult)] = []
    let ending = try play(played.map(\.scenario), PoolSettings(), on: terminal) { index, result in
      results.append((played[index].file, result))
    }
    if case .signal(let signal) = ending.reason { throw Interruption(signal: signal) }
    return descriptors.map { descriptor in
      SystemExplanation(descriptor, results.filter { $0.result.scenario.system == descriptor.name })
    }
  }

  /// What has to be played to explain a system: the variants that break in each scenario, and in the one that searches hardest
  /// those that hold, too.
  private static func played(_ entries: [RunRequest.Entry]) -> [RunRequest.Entry] {
    let hardest = entries.firstIndex { $0.scenario.search.exhaustDeviations != nil } ?? 0
    return entries.enumerated().compactMap { index, entry in
      var scenario = entry.scenario
      if index != hardest { scenario.expectations.removeAll { $0.outcome == .holds } }
      return scenario.expectations.isEmpty ? nil : RunRequest.Entry(file: entry.file, scenario: scenario)
    }
  }

  func audit(_ scenarios: [Scenario], inDetail: Bool, on terminal: Terminal) throws -> ToolStatus {
    try RuntimeControl.verify()
    var summary = AuditSummary()
    for scenario in scenarios {
      let descriptor = try type(of: scenario).descriptor
      let audits = try audits(scenario, of: descriptor)
      summary.add(scenario, of: descriptor, audits)
      if inDetail { try terminal.line(AuditText.of(scenario, audits)) }
    }
    guard inDetail else {
      try terminal.line(AuditSummaryText.of(summary))
      return summary.differences.isEmpty ? .asExpected : .notAsExpected
    }
    for difference in summary.undeclared { try terminal.line(difference) }
    return summary.undeclared.isEmpty ? .asExpected : .notAsExpected
  }

  /// Plays every variant in the natural order.
  private func audits(
    _ scenario: Scenario, of descriptor: SystemDescriptor
  ) throws -> [(variant: String, audit: Audit)] {
    var scenario = scenario
    scenario.checks = Audit.checks(of: descriptor, beside: scenario)
    var runner = ScenarioRunner(scenario: scenario, type: try type(of: scenario))
    runner.confinement = .forReplays
    return scenario.expectations.map { expectation in
      let result = Machine.asOutside { runner.auditedOrder(expectation.variant) }
      return (expectation.variant, Audit(result.execution, of: descriptor))
    }
  }

  func replay(_ request: ReplayRequest, on terminal: Terminal) throws -> ToolStatus {
    let token = try request.token.map { try Schedule.Token(parsing: $0) }
    if startsWorkers, let seed = token?.hashSeed { Machine.setHashSeed(seed) }
    if startsWorkers { Machine.fixAddresses() }
    try RuntimeControl.verify()
    var runner = ScenarioRunner(scenario: request.scenario, type: try type(of: request.scenario))
    runner.confinement = .forReplays
    let isCompared = request.page != nil
    let result = Machine.asOutside {
      token.map { runner.explorer(request.variant).replay($0, comparing: isCompared) }
        ?? runner.naturalOrder(request.variant, comparing: isCompared)
    }
    let shown = ShownSchedule(
      result: result, file: request.file, scenario: request.scenario, variant: request.variant,
      isRecorded: token != nil)
    // Files first: standard output may be lost.
    let (lines, isWritten) = try write(shown, of: request, on: terminal)
    try terminal.line(ReplayText.of(shown, width: terminal.width))
    for line in lines { try terminal.line(line) }
    if !isWritten { return .failure }
    return result.divergence == nil ? .asExpected : .notAsExpected
  }

  /// Writes the files that a replay is asked for. Returns what to print about them, and whether all were written.
  private func write(
    _ shown: ShownSchedule, of request: ReplayRequest, on terminal: Terminal
  ) throws -> (lines: [String], isWritten: Bool) {
    var faults: [String] = []
    if let page = request.page {
      do throws(WriteFault) {
        try AtomicFile(page).write(Array(ReplayPage.of(shown).utf8))
      } catch {
        faults.append("the page is lost: \(error)")
      }
    }
    var recorded = StoryRecording.Result()
    if let stories = request.stories {
      let findings = StoryFinding.all(in: shown.result, of: request)
      recorded = try record(findings, by: stories, after: RunEnding(), PoolSettings(), on: terminal)
      faults += recorded.faults.map(\.description)
    }
    faults.forEach(terminal.error)
    return (recorded.recorded.map(RunText.recorded) + recorded.remarks.map(\.visible), faults.isEmpty)
  }

  /// What is wrong with a token; nil if it can be read.
  static func tokenFlaw(_ text: String) -> String? {
    do throws(Schedule.Token.ParsingError) {
      _ = try Schedule.Token(parsing: text)
      return nil
    } catch {
      return error.description
    }
  }

  private func type(of scenario: Scenario) throws -> any System.Type {
    guard let type = systems.first(where: { $0.descriptor.name == scenario.system }) else {
      throw UnknownName("system", scenario.system)
    }
    return type
  }
}
