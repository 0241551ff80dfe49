import ScenarioFiles
import Simulator

/// The result of a run: the one document that every rendering reads. As JSON it is the report that a merge reads again.
///
/// It is plain data. Nothing in it depends on the machine or the clock, except where it says so.
struct RunReport: ReportObject {
  /// The version of the report's format.
  static let version = 2

  var build = Schedule.Token.Build.current
  var seeds: [UInt64] = []
  var shards: ShardSet?
  var isStrict = false
  var scenarios: [ScenarioReport] = []
  var recorded: [RecordedSchedule] = []
  var ending = RunEnding()
  var warnings: [String] = []
  var milliseconds: Int?

  static let about =
    "The result of a run of scenarios. The same seed and build give the same bytes, except for \"milliseconds\", which is "
    + "there only with --timings. Virtual times are whole nanoseconds since an execution began."
  static let keys = list {
    derived("version", \.formatVersion, "The version of this format.")
    derived("tool", \.tool, "The program that wrote it.")
    key("build", \.build, "The build that ran. Tokens are valid in it.")
    key("seeds", \.seeds, "The seeds of the random choices, in ascending order.")
    key(
      "shards", \.shards, "The shards of the run that are in this report; absent if the run was not divided.")
    key("strict", \.isStrict, "Whether an outdated expectation, or a part that is not tested, fails the run.")
    derived("asExpected", \.isAsExpected, "Whether the run does not fail: the exit status is 0.")
    derived("summary", \.summary, "The totals.")
    key("scenarios", \.scenarios, "The scenarios, in the order of the files.")
    key("recorded", \.recorded, "The schedules that --record added to scenario files.")
    key("ending", \.ending, unless: RunEnding(), "What ended the run early; absent if nothing did.")
    derived("cutShort", \.cutShort, "What ended the run early and what was left to do, in words.")
    key("warnings", \.warnings, unless: [], "Facts about the machine that ran it.")
    key("milliseconds", \.milliseconds, "How long the run took, in real time.")
  }

  mutating func complete() throws(ReportFlaw) {
    for index in scenarios.indices {
      scenarios[index].isStrict = isStrict
      for variant in scenarios[index].variants.indices {
        scenarios[index].variants[variant].isStrict = isStrict
      }
      guard let shards else { continue }
      let isPart = !shards.isWhole
      guard isPart == (scenarios[index].unused != nil),
        scenarios[index].variants.allSatisfy({ isPart == ($0.part != nil) && $0.processes.shards != nil })
      else { throw ReportFlaw(.impossible, at: "scenarios", "\(index)", "unused") }
    }
  }
}

extension RunReport {
  private var formatVersion: ReportVersion { ReportVersion() }
  private var tool: ReportTool { ReportTool() }

  private var summary: RunSummary {
    var summary = RunSummary()
    summary.scenarios = scenarios.count
    (summary.variants, summary.schedules, summary.steps) = (variants, schedules, steps)
    (summary.notAsExpected, summary.outdated) = (notAsExpected, outdated)
    return summary
  }

  /// Whether shards are missing, without which not everything is known.
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

// MARK: - Parts

extension Schedule.Token.Build: ReportWord {}

/// The version of the format, always the same in a report that can be read.
private struct ReportVersion: ReportValue {
  static func schema(_ about: String?) -> JSONTree {
    var schema = JSONTree.Builder()
    schema.add("const", RunReport.version)
    schema.add("description", about)
    return schema.tree
  }

  var json: JSONTree { .integer(RunReport.version) }

  init() {}
  init(_ json: JSONTree) throws(ReportFlaw) {}
}

private struct ReportTool: ReportObject {
  var name = ToolIdentity.name
  var version = ToolIdentity.version

  static let about = "The program that wrote it."
  static let keys = list {
    key("name", \.name, "Its name.")
    key("version", \.version, "Its version.")
  }
}

private struct RunSummary: ReportObject {
  var scenarios = 0
  var variants = 0
  var schedules = 0
  var steps = 0
  var notAsExpected: [String] = []
  var outdated: [String] = []

  static let about = "The totals."
  static let keys = list {
    key("scenarios", \.scenarios, "The number of scenarios.")
    key("variants", \.variants, "The number of variants of all scenarios.")
    key("schedules", \.schedules, "The number of schedules that were tried.")
    key("steps", \.steps, "The number of their steps.")
    key("notAsExpected", \.notAsExpected, "The scenarios that fail the run.")
    key(
      "outdated", \.outdated,
      "The scenarios that do not fail it, although something that their file expects is gone.")
  }
}

/// A schedule that was added to a scenario file.
struct RecordedSchedule: ReportObject {
  var file = ""
  var scenario = ""
  var variant = ""
  var token = ""

  static let about = "A schedule that was added to a scenario file."
  static let keys = list {
    key("file", \.file, "The scenario file.")
    key("scenario", \.scenario, "The scenario.")
    key("variant", \.variant, "The variant.")
    key("token", \.token, "The schedule.")
  }
}

extension RunEnding: ReportObject {
  private enum Word: String, ReportWord {
    case finished
    case timeLimit = "time-limit"
    case signal
  }

  private var word: Word {
    switch reason {
    case .finished: .finished
    case .timeLimit: .timeLimit
    case .signal: .signal
    }
  }

  private var signal: Int? {
    get { if case .signal(let signal) = reason { Int(signal) } else { nil } }
    set { if let newValue { reason = .signal(Int32(clamping: newValue)) } }
  }

  static let about = "How the run ended."
  static let keys = list {
    key("reason", \.word, "What ended it.") { $0.reason = $1 == .timeLimit ? .timeLimit : .finished }
    key("signal", \.signal, "The number of the signal.")
    key("notBegun", \.notBegun, "The number of scenarios that were not begun.")
  }
}
