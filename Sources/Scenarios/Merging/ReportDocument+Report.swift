import ScenarioFiles
import Simulator

// From what stands in a file to the report that was written there.

/// A report has all keys, and one of them says what no report says.
struct ReportFlaw: Error {
  let key: String
}

extension ReportDocument {
  /// The report.
  func report() throws(ReportFlaw) -> RunReport {
    guard let build = Schedule.Token.Build(rawValue: build) else { throw ReportFlaw(key: "build") }
    let shards = try shards.set()
    var report = RunReport(build: build, seeds: seeds, isStrict: strict, hasTimings: false)
    for scenario in scenarios { report.scenarios.append(try scenario.report(strict, in: shards)) }
    // What a signal has ended is not read.
    if cutShort != nil { report.ending.reason = .timeLimit }
    report.warnings = warnings ?? []
    report.shards = shards
    return report
  }
}

extension ReportDocument.Shards {
  fileprivate func set() throws(ReportFlaw) -> ShardSet {
    guard ShardNumber.counts.contains(count) else { throw ReportFlaw(key: "shards.count") }
    guard !held.isEmpty, held.allSatisfy((1...count).contains), zip(held, held.dropFirst()).allSatisfy(<)
    else {
      throw ReportFlaw(key: "shards.held")
    }
    let run = RunIdentity(executable: executable, files: files, options: options)
    return ShardSet(count: count, held: held, run: run)
  }
}

extension ReportDocument.Scenario {
  fileprivate func report(_ isStrict: Bool, in shards: ShardSet) throws(ReportFlaw) -> ScenarioReport {
    var search = Search()
    (search.seed, search.strategy, search.schedules) = (seed, strategy, try counted(budget, "budget"))
    var reports: [VariantReport] = []
    for variant in variants { reports.append(try variant.report(isStrict, in: shards)) }
    guard shards.isWhole == (unused == nil) else { throw ReportFlaw(key: "unused") }
    return ScenarioReport(
      file: file, position: SourcePosition(line: line, column: column), name: name, about: about,
      system: system, search: search, untested: untested, isStrict: isStrict, variants: reports,
      unused: unused?.map(\.unused))
  }
}

extension ReportDocument.Variant {
  fileprivate func report(_ isStrict: Bool, in shards: ShardSet) throws(ReportFlaw) -> VariantReport {
    var found: [ViolationReport] = []
    for violation in violations { found.append(try violation.report()) }
    var replayed: [ReplayReport] = []
    for replay in replays { replayed.append(try replay.report()) }
    return VariantReport(
      name: name, expected: expected, violations: found, replays: replayed,
      schedules: try counted(schedules, "schedules"), failures: try counted(failures, "failures"),
      behaviors: try counted(behaviours, "behaviours"), steps: try counted(steps, "steps"),
      coverage: try exhaustion?.report(), shortfall: shortfall,
      goodTuringEstimate: try chanceOfNews?.ratio("chanceOfNews"),
      cancellations: cancellations, vacuous: nothingToJudge, warnings: warnings, isStrict: isStrict,
      duration: .zero, interruption: try whyItEnded(), processes: try processes.report(),
      notLookedFor: notLookedFor ?? [], mayBeUntested: mayBeUntested ?? [],
      untested: part?.untested?.map(\.unused),
      stories: stories.map(StoryCoverage.init(parts:)),
      occurrences: Dictionary(
        (neverHappened ?? []).map { ($0, false) } + (happened ?? []).map { ($0, true) },
        uniquingKeysWith: { $1 }), sharded: try sharded(in: shards))
  }

  private func whyItEnded() throws(ReportFlaw) -> Explorer.Report.Interruption? {
    guard let interrupted else {
      // A report that says it in words only is from another build.
      if interruption != nil { throw ReportFlaw(key: "interrupted") }
      return nil
    }
    guard let found = Explorer.Report.Interruption.all.first(where: { $0.name == interrupted }) else {
      throw ReportFlaw(key: "interrupted")
    }
    return found
  }

  private func sharded(in shards: ShardSet) throws(ReportFlaw) -> ShardedSearch {
    let isWhole = mayHaveMoreBehaviours != true
    guard shards.isWhole == (part == nil) else { throw ReportFlaw(key: "part") }
    var known: VariantPart?
    if let part {
      guard
        let digests = Explorer.BehaviorDigests(
          text: part.behaviours, fewest: try counted(behaviours, "behaviours"), isWhole: isWhole)
      else { throw ReportFlaw(key: "part.behaviours") }
      known = VariantPart(
        behaviors: digests, hasWholeSteps: part.wholeSteps, hasOverlappingSteps: part.overlappingSteps)
    }
    return ShardedSearch(
      searching: try counted(processes.shards, "processes.shards"), isPart: !shards.isWhole,
      mayHaveMoreBehaviors: !isWhole, part: known)
  }
}

extension ReportDocument.Variant.Processes {
  fileprivate func report() throws(ReportFlaw) -> Explorer.Processes {
    switch kind {
    case "each-fresh": return .eachFresh
    case "one-and-fresh": return .oneAndFresh
    case "few-and-fresh": return .fewAndFresh
    case "one": return .one(why: why)
    default: throw ReportFlaw(key: "processes.kind")
    }
  }
}

extension ReportDocument.Variant.Coverage {
  fileprivate func report() throws(ReportFlaw) -> CoverageReport {
    let covered: Strategies.Coverage
    switch (kind, deviations) {
    case ("every-schedule", nil): covered = .everySchedule
    case ("every-behaviour", nil): covered = .everyBehavior
    case ("deviations", let most?): covered = .deviations(atMost: most)
    case ("stories", let most?):
      guard let actions, let answers else { throw ReportFlaw(key: "exhaustion.actions") }
      covered = .stories(Strategies.StoryBound(actions: actions, answers: answers, deviations: most))
    default: throw ReportFlaw(key: "exhaustion")
    }
    return CoverageReport(
      kind: covered, schedules: try counted(schedules, "exhaustion.schedules"), text: text)
  }
}

extension ReportDocument.Replay {
  fileprivate func report() throws(ReportFlaw) -> ReplayReport {
    let result: ReplayReport.Outcome
    switch (outcome, detail) {
    case ("reproduced", nil): result = .reproduced(violated)
    case ("hint", nil): result = .hint
    case ("harmless", nil): result = .harmless
    case ("diverged", let how?): result = .diverged(how)
    case ("unreadable", let why?): result = .unreadable(why)
    default: throw ReportFlaw(key: "replays.outcome")
    }
    // No report tells the column.
    return ReplayReport(token: token, position: SourcePosition(line: line, column: 1), outcome: result)
  }
}

extension ReportDocument.Violation {
  fileprivate func report() throws(ReportFlaw) -> ViolationReport {
    var fresh: Invariant.Violation.FreshReplay?
    if let inFreshProcess {
      fresh = Invariant.Violation.FreshReplay(rawValue: inFreshProcess)
      if fresh == nil { throw ReportFlaw(key: "inFreshProcess") }
    }
    return ViolationReport(
      invariant: invariant, isExpected: expected, race: race, headline: headline, evidence: evidence,
      message: message, time: VirtualInstant(nanoseconds: nanoseconds), step: step,
      number: try counted(schedule, "schedule"), token: token, isReplayable: replayable,
      replayCommand: replay, shrinking: try shrinking?.report(),
      timeline: timeline.map { entry in
        Explorer.Timeline.Entry(
          time: VirtualInstant(nanoseconds: entry.nanoseconds), domain: entry.domain, text: entry.text)
      },
      nearestPassing: try nearestPassing?.report(), chart: try chart?.chart(), explanation: explanation,
      freshReplay: fresh, shard: shard)
  }
}

extension ReportDocument.Violation.Nearest {
  fileprivate func report() throws(ReportFlaw) -> NearestPassingReport {
    NearestPassingReport(
      token: token, agreed: agreed, passing: passing, failing: failing, chart: try chart?.chart())
  }
}

extension ReportDocument.Violation.Shrinking {
  fileprivate func report() throws(ReportFlaw) -> ShrinkingReport {
    ShrinkingReport(
      found: found, choices: choices, deviations: deviations, isMinimal: minimal, executions: executions,
      reproduced: try reproduced.ratio("reproduced"))
  }
}

extension ReportDocument.Ratio {
  fileprivate func ratio(_ key: String) throws(ReportFlaw) -> Explorer.Ratio {
    guard try counted(count, key) <= counted(total, key), total > 0 else { throw ReportFlaw(key: key) }
    return Explorer.Ratio(count: count, total: total)
  }
}

/// A number of things: so few that those of all shards can be added.
private func counted(_ number: Int, _ key: String) throws(ReportFlaw) -> Int {
  guard (0...1 << 48).contains(number) else { throw ReportFlaw(key: key) }
  return number
}
