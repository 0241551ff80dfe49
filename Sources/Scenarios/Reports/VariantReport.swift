import ScenarioFiles
import Simulator
import SimulatorReports

/// The result of one variant in one scenario.
struct VariantReport: Equatable, Sendable {
  let name: String
  /// The violations that the file knows; none when the variant is to hold.
  let expected: [String]
  /// The first of each invariant, in the order found.
  let violations: [ViolationReport]
  /// The results of the recorded schedules, in the order of the file.
  let replays: [ReplayReport]
  let schedules: Int
  /// How many of the schedules violated something.
  let failures: Int
  /// How many of them behaved differently.
  let behaviors: Int
  let steps: Int
  /// What was covered completely; nil if nothing was.
  let coverage: CoverageReport?
  /// What was to be covered completely and was not, in words.
  let shortfall: String?
  /// How likely the next random schedule is to behave as none before.
  let goodTuringEstimate: Explorer.Ratio?
  /// At how many points a cancel that may come everywhere has come.
  let cancellations: Explorer.CancellationCoverage?
  /// The invariants that had nothing to judge, sorted.
  let vacuous: [String]
  let warnings: [String]
  /// Whether what is outdated fails it.
  let isStrict: Bool
  /// How long it took by the wall clock.
  let duration: Duration
  /// Why the search ended before its time; nil if it did not.
  var interruption: Explorer.Report.Interruption?
  /// In which processes its executions ran.
  var processes = Explorer.Processes.one(why: nil)
  /// The violations that the file knows and that only a build with the flag for data races looks for.
  var notLookedFor: [String] = []
  /// What the file says rightly stays untested.
  var mayBeUntested: [String] = []
  /// What no execution has used or judged; nil where that says nothing.
  var untested: [Unused]?
  /// What its stories have tried; nil where none is made up.
  var stories: StoryCoverage?
  /// How many behaviors were known after 1, 2, 4, 8, … schedules; none for a run that was divided.
  var growth: [Int] = []
  /// What is to happen in some schedule, and whether it has.
  var occurrences: [String: Bool] = [:]
  /// The shards that it holds; nil for a run that was not divided.
  var sharded: ShardedSearch?

  /// Whether the search was told to end before it had tried all that it was to try.
  var isStopped: Bool { interruption == .stopped }

  /// Whether its processes were ended by something that no schedule shows again: neither held nor violated.
  var isNotJudged: Bool { interruption == .notJudged }

  /// Whether something was tried and judged, and nothing was violated.
  var holds: Bool { violations.isEmpty && schedules > 0 && !isNotJudged && neverHappened.isEmpty }

  /// What is to happen in some schedule of a search that came to its end, and has in none, sorted; none where something was
  /// violated.
  var neverHappened: [String] {
    guard violations.isEmpty, schedules > 0, !isStopped, !isNotJudged, sharded?.isPart != true else {
      return []
    }
    return occurrences.filter { !$0.value }.keys.sorted()
  }

  /// Why it could not be judged, and what to do about it; nil if it was.
  var notJudged: String? { isNotJudged ? warnings.last : nil }

  /// The violations that the file does not know.
  var unexpected: [ViolationReport] { violations.filter { !$0.isExpected } }

  /// The violations that the file knows and that were not found.
  var noLongerFound: [String] {
    if expected == [Expectation.anything] { return violations.isEmpty ? expected : [] }
    return expected.filter { name in !violations.contains { $0.invariant == name } }
  }

  /// The violations that the file knows and that a search which came to its end did not find. A search that
  /// was stopped may have missed them, and so may a shard.
  var gone: [String] { isStopped || isNotJudged || sharded?.isPart == true ? [] : noLongerFound }

  /// Whether something that the file knows is no longer so.
  var isOutdated: Bool { !gone.isEmpty || replays.contains(where: \.isOutdated) }

  /// Whether it does not fail the run.
  var isAsExpected: Bool { !isNotJudged && isAsExpectedSoFar }

  /// The verdict at a glance.
  var mark: Page.Mark {
    if !isAsExpected { return .unexpected }
    if isStopped || !hasTried { return .open }
    if isOutdated { return .outdated }
    return violations.isEmpty ? .holds : .known
  }

  /// The same, but for what could not be judged.
  var isAsExpectedSoFar: Bool {
    unexpected.isEmpty && neverHappened.isEmpty && unexpectedShortfall == nil && !(isStrict && isOutdated)
      && gone != [Expectation.anything]
  }

  /// The coverage that was demanded and not reached. A variant that violates what it is expected to stops
  /// early: nothing was to be covered.
  var unexpectedShortfall: String? { expected.isEmpty && !isStopped && !isNotJudged ? shortfall : nil }
}

extension VariantReport {
  var tested: VariantTested {
    VariantTested(
      variant: name, vacuous: Set(vacuous), untested: isStopped || isNotJudged ? nil : untested,
      mayBeUntested: mayBeUntested)
  }
}

/// What a search has covered completely.
struct CoverageReport: Equatable, Sendable {
  let kind: Strategies.Coverage
  /// How many schedules that took.
  let schedules: Int
  /// In words.
  let text: String
}

/// The result of a recorded schedule.
struct ReplayReport: Equatable, Sendable {
  /// The possible results of a replay.
  enum Outcome: Equatable, Sendable {
    /// It violates these invariants again, with the same trace.
    case reproduced([String])
    /// It was recorded in the other build, where it is a hint that is tried first.
    case hint
    /// It runs as recorded and violates nothing.
    case harmless
    /// It no longer runs as recorded.
    case diverged(String)
    /// It cannot be read.
    case unreadable(String)
  }

  let token: String
  /// Where it stands in its file.
  let position: SourcePosition
  let outcome: Outcome

  /// Whether it no longer shows what it was recorded for.
  var isOutdated: Bool {
    switch outcome {
    case .reproduced, .hint: false
    case .harmless, .diverged, .unreadable: true
    }
  }

  /// The invariants that it violates again.
  var reproduced: [String] {
    if case .reproduced(let invariants) = outcome { invariants } else { [] }
  }
}
