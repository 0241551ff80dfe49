import Simulator

/// The result of a run: the one value that every rendering reads.
///
/// It is plain data. Nothing in it depends on the machine or the clock, except where it says so.
struct RunReport: Equatable, Sendable {
  /// The version of the report's format.
  static let version = 1

  /// The build that ran; tokens bind in it.
  let build: Schedule.Token.Build
  /// What random choices were drawn from, ascending.
  let seeds: [UInt64]
  /// Whether a known violation that is gone, or something that is not tested, is a failure.
  let isStrict: Bool
  /// Whether renderings show wall-clock times.
  let hasTimings: Bool
  /// In the order of the files.
  var scenarios: [ScenarioReport] = []
  /// The schedules that were added to scenario files.
  var recorded: [RecordedSchedule] = []
  /// How long all took by the wall clock.
  var duration = Duration.zero

  var ending = RunEnding()
  /// The shards that it holds; nil for a run that was not divided.
  var shards: ShardSet?
  /// What is to be known of the machine on which it ran, a sentence each.
  var warnings: [String] = []

  /// Whether shards are missing, without which not everything can be told.
  var isPart: Bool { shards.map { !$0.isWhole } ?? false }

  /// A run that was cut short fails only where nothing may be left untested.
  var isAsExpected: Bool { scenarios.allSatisfy(\.isAsExpected) && !(isStrict && isCutShort) }

  /// Whether the run fails only because something could not be judged.
  var lacksOnlyJudgment: Bool {
    !isAsExpected && !(isStrict && isCutShort)
      && scenarios.allSatisfy { $0.isAsExpected || $0.lacksOnlyJudgment }
  }

  /// The number of variants that could not be judged.
  var notJudged: Int { scenarios.reduce(0) { $0 + $1.variants.count(where: \.isNotJudged) } }

  /// The number of variants whose search was stopped before its end.
  var stoppedVariants: Int { scenarios.reduce(0) { $0 + $1.variants.count(where: \.isStopped) } }

  /// Whether the run ended before everything was done.
  var isCutShort: Bool { ending.reason != .finished && stoppedVariants + ending.notBegun > 0 }

  /// Whether the run fails because its end came before everything was done.
  var failsWhereCutShort: Bool {
    if case .signal = ending.reason { true } else { isStrict && isCutShort }
  }

  /// The names of the scenarios that fail the run.
  var notAsExpected: [String] { scenarios.filter { !$0.isAsExpected }.map(\.name) }

  /// The names of the scenarios that do not fail it, although a known violation of theirs is gone.
  var outdated: [String] { scenarios.filter { $0.isAsExpected && $0.isOutdated }.map(\.name) }

  var variants: Int { scenarios.reduce(0) { $0 + $1.variants.count } }
  var schedules: Int { scenarios.reduce(0) { $0 + $1.schedules } }
  var steps: Int { scenarios.reduce(0) { $0 + $1.steps } }
}

/// A schedule that was added to a scenario file.
struct RecordedSchedule: Equatable, Sendable {
  let file: String
  let scenario: String
  let variant: String
  let token: String
}
