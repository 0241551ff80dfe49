extension SimulatorEngine {
  /// Plays the shards of a run one after the other, and reports what a merge of their reports would. A signal ends it with
  /// what is known of those that have begun.
  func runAll(_ shards: [ShardNumber], of request: RunRequest, in division: Division, on terminal: Terminal)
    throws
    -> ToolStatus
  {
    var joined: RunReport?
    var faults: [String] = []
    for shard in shards {
      let (report, without) = try report(of: shard, of: request, in: division, on: terminal)
      faults += without
      joined = joined?.joined(with: report) ?? report
      if case .signal = report.ending.reason { break }
    }
    guard let joined else { return .asExpected }
    return try joined.deliver(to: request.outputs, faults: faults, on: terminal)
  }

  private func report(
    of shard: ShardNumber, of request: RunRequest, in division: Division, on terminal: Terminal
  ) throws -> (RunReport, withoutFreshProcesses: [String]) {
    let scenarios = request.entries.map(\.scenario)
    var collector = RunCollector(
      scenarios, ReportConditions(isStrict: request.isStrict, shards: division.set(of: shard)))
    var faults: [String] = []
    var settings = request.pool
    settings.shard = shard
    let ending = try play(scenarios, settings, on: terminal) { index, result in
      collector.prepare(result, of: scenarios[index], file: request.entries[index].file)
    } deliver: { index, result in
      faults += Self.withoutFreshProcesses(result)
      _ = collector.add(result, file: request.entries[index].file)
    }
    if startsWorkers { collector.report.warnings += Machine.warnings }
    collector.finish(ending) { _ in [] }
    return (collector.report, faults)
  }
}
