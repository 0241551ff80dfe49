import ScenarioFiles
import Simulator
import SimulatorReports

/// The result of one variant in one scenario.
struct VariantReport: ReportObject {
  var name = ""
  var expected: [String] = []
  var notLookedFor: [String] = []
  var schedules = 0
  var failures = 0
  var behaviors = 0
  var mayHaveMoreBehaviors = false
  var growth: [Int] = []
  var processes = ProcessesReport()
  var steps = 0
  var coverage: CoverageReport?
  var shortfall: ShortfallReport?
  var interruption: Explorer.Report.Interruption?
  var goodTuringEstimate: Explorer.Ratio?
  var cancellations: Explorer.CancellationCoverage?
  var untriedPairs: Explorer.UntriedPairs?
  var vacuous: [String] = []
  var mayBeUntested: [String] = []
  var mustTestNothing: [String] = []
  var occurrences: [String: Bool] = [:]
  var stories: StoryCoverage?
  var warnings: [String] = []
  var replays: [ReplayReport] = []
  var violations: [ViolationReport] = []
  var part: VariantPart?
  var milliseconds: Int?
  /// Whether what is outdated fails it, as the run says.
  var isStrict = false

  static let about = "One variant in one scenario."
  static let keys = list {
    key("name", \.name, "The variant.")
    derived("verdict", \.mark, "The verdict at a glance.")
    derived("asExpected", \.isAsExpected, "Whether it does not fail the run.")
    derived("holds", \.holds, "Whether something was tried and judged, and nothing was violated.")
    key("expected", \.expected, "The violations that the file expects; empty if the variant is to hold.")
    key(
      "notLookedFor", \.notLookedFor, unless: [],
      "Violations that the file also expects, but that only a build with the flag for data races looks for.")
    derived("violated", \.violated, "The violated invariants, in the order found.")
    derived("unexpected", \.unexpectedNames, "Those of them that the file does not expect.")
    derived("noLongerFound", \.noLongerFound, "The violations that the file expects and that were not found.")
    key("schedules", \.schedules, "The number of schedules that were tried.")
    key("failures", \.failures, "The number of schedules that violated something.")
    key("behaviors", \.behaviors, "The number of different behaviors.")
    key(
      "mayHaveMoreBehaviors", \.mayHaveMoreBehaviors, unless: false,
      "Whether there may be more behaviors: too many to keep were seen, or a search was ended.")
    key(
      "growth", \.growth, unless: [],
      "The number of behaviors known after 1, 2, 4, 8, … schedules; absent if the run was divided.")
    key("processes", \.processes, "The processes in which its executions ran.")
    key("steps", \.steps, "The number of steps of all schedules.")
    key("coverage", \.coverage, "What was covered completely; absent if nothing was.")
    key(
      "shortfall", \.shortfall, "What was to be covered completely and was not; absent if there is nothing.")
    key("interruption", \.interruption, "Why the search ended early; absent if it did not.")
    derived("notJudged", \.notJudged, "Why the variant could not be judged, in words; absent if it was.")
    key(
      "goodTuringEstimate", \.goodTuringEstimate,
      "The Good-Turing estimate of the probability that the next random schedule shows a new behavior.")
    key(
      "cancellations", \.cancellations,
      "The suspension points at which a cancel that may come anywhere has come.")
    key(
      "untriedPairs", \.untriedPairs,
      "The pairs of ends of timers that no schedule has brought together; absent if there is none, or if something was "
        + "violated.")
    key("vacuous", \.vacuous, "The invariants that had nothing to judge in any execution, sorted.")
    key("mayBeUntested", \.mayBeUntested, unless: [], "What the file says may stay untested in this variant.")
    key(
      "mustTestNothing", \.mustTestNothing, unless: [],
      "The invariants of which the file says that none has anything to judge; absent if it does not say so.")
    derived("tested", \.judgedAfterAll, "Those of them that had something to judge.")
    key(
      "occurrences", \.occurrences, unless: [:],
      "What is to happen in some schedule, and whether it has happened in one of these.")
    key("stories", \.storyParts, "What generated stories have tried of what they could.")
    key("warnings", \.warnings, "Facts that are not violations but worth knowing.")
    key("replays", \.replays, "The results of the recorded schedules, in their order.")
    key("violations", \.violations, "The first violation of each invariant, in the order found.")
    key(
      "part", \.part,
      "What it takes to join it with the same variant of other shards; absent if no shard is missing.")
    key("milliseconds", \.milliseconds, "How long it took, in real time.")
  }

  mutating func complete() throws(ReportFlaw) {
    if let part, !part.behaviors.fits(behaviors, isWhole: !mayHaveMoreBehaviors) {
      throw ReportFlaw(.impossible, at: "part", "behaviors")
    }
    if let part, untriedPairs != (violations.isEmpty ? part.untriedPairs : nil) {
      throw ReportFlaw(.impossible, at: "untriedPairs")
    }
  }
}

// MARK: - What follows

extension VariantReport {
  private var storyParts: [StoryCoverage.Part]? {
    get { stories?.parts }
    set { stories = newValue.map(StoryCoverage.init(parts:)) }
  }
  private var violated: [String] { violations.map(\.invariant) }
  private var unexpectedNames: [String] { unexpected.map(\.invariant) }

  /// Whether some schedule was tried, be it one that counts in another shard.
  var hasTried: Bool { schedules > 0 || !violations.isEmpty }

  /// Whether the search was told to end before it had tried all that it was to try.
  var isStopped: Bool { interruption == .stopped }

  /// Whether its processes were ended by something that no schedule shows again: neither held nor violated.
  var isNotJudged: Bool { interruption == .notJudged }

  /// Whether something was tried and judged, and nothing was violated.
  var holds: Bool {
    violations.isEmpty && schedules > 0 && !isNotJudged && neverHappened.isEmpty && mustTestNothing.isEmpty
  }

  /// Whether the file says that it tests nothing, and nothing was violated.
  var testsNothing: Bool { !mustTestNothing.isEmpty && violations.isEmpty && schedules > 0 && !isNotJudged }

  /// What had something to judge, although the file says that nothing has. A search that was stopped may say so of too
  /// little, and a shard as well, but what was judged was judged.
  var judgedAfterAll: [String] {
    schedules == 0 || isNotJudged ? [] : mustTestNothing.filter { !vacuous.contains($0) }
  }

  /// What is to happen in some schedule of a search that came to its end, and has in none, sorted; none where something was
  /// violated.
  var neverHappened: [String] {
    guard violations.isEmpty, schedules > 0, !isStopped, !isNotJudged, part == nil else { return [] }
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
  var gone: [String] { isStopped || isNotJudged || part != nil ? [] : noLongerFound }

  /// Whether something that the file knows is no longer so.
  var isOutdated: Bool { !gone.isEmpty || replays.contains(where: \.isOutdated) }

  /// Whether it does not fail the run.
  var isAsExpected: Bool { !isNotJudged && isAsExpectedSoFar }

  /// The verdict at a glance.
  var mark: Page.Mark {
    if !isAsExpected { return .unexpected }
    if isStopped || !hasTried { return .open }
    if isOutdated { return .outdated }
    return violations.isEmpty && !testsNothing ? .holds : .known
  }

  /// The same, but for what could not be judged.
  var isAsExpectedSoFar: Bool {
    unexpected.isEmpty && neverHappened.isEmpty && unexpectedShortfall == nil && !(isStrict && isOutdated)
      && gone != [Expectation.anything] && judgedAfterAll.isEmpty
  }

  /// The coverage that was demanded and not reached. A variant that violates what it is expected to stops
  /// early: nothing was to be covered.
  var unexpectedShortfall: String? {
    expected.isEmpty && !isStopped && !isNotJudged ? shortfall?.text : nil
  }
}
