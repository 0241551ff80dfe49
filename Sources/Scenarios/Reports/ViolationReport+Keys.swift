import Simulator
import SimulatorReports

// The keys of a violation.

extension ViolationReport: ReportObject {
  static let about = "A violation."
  static let keys = list {
    key("invariant", \.invariant, "The invariant.")
    key("expected", \.isExpected, "Whether the file expects it.")
    key("diagnosis", \.diagnosis, "The name of what it shows; absent if that is not known for certain.")
    derived("headline", \.headline, "The diagnosis and what went wrong, in words.")
    key("evidence", \.evidence, "The events that prove the diagnosis, and where they happened, in words.")
    key("message", \.message, "What went wrong, with the values in it, in words.")
    key("nanoseconds", \.nanoseconds, "The virtual time at which it was noticed.")
    key("step", \.step, "The step at which it was noticed.")
    key("schedule", \.number, "The number of the schedule that found it, from 0.")
    key("shard", \.shard, "The shard that found it; absent if the run was not divided.")
    key("token", \.token, "The token of its schedule.")
    key("replayable", \.isReplayable, "Whether its schedule alone determines it, so that it can be recorded.")
    key(
      "freshReplay", \.freshReplay,
      "What its schedule shows in a process that has run nothing before: the same, nothing, or the same while later "
        + "executions of one process do not; absent if that was not tried.")
    key("replay", \.replayCommand, "The command that replays it.")
    key("shrinking", \.shrinking, "How its schedule was made smaller; absent if that was not tried.")
    key("timeline", \.chart, "The events that matter to it; absent if it is not explained.")
    key(
      "nearestPassing", \.nearestPassing, "The most similar schedule known under which the invariant holds.")
    key("text", \.text, "All of this in words; absent if it is not explained.")
  }
}

extension Invariant.Violation.FreshReplay: ReportWord {}

extension ShrinkingReport: ReportObject {
  private var tried: Int {
    get {
      switch minimality {
      case .proved(let tried), .exhausted(_, let tried): tried
      }
    }
    set { minimality = .proved(tried: newValue) }
  }

  private var below: Int? {
    get { if case .exhausted(let below, _) = minimality { below } else { nil } }
    set { if let newValue { minimality = .exhausted(below: newValue, tried: tried) } }
  }

  static let about = "How the schedule of a violation was made smaller."
  static let keys = list {
    key("found", \.found, "The number of deviations from the natural order when it was found.")
    key("choices", \.choices, "The number of choices of that execution.")
    key("deviations", \.deviations, "The deviations that are left, in words, in order.")
    derived("minimal", \.isMinimal, "Whether the invariant holds under every schedule with fewer deviations.")
    key("tried", \.tried, "The number of schedules with fewer deviations that were tried and hold.")
    key(
      "below", \.below, "Only schedules with fewer deviations than this were all tried; absent if all were.")
    key(
      "drewNumbers", \.drewNumbers, unless: false,
      "Whether the program asked for random numbers; then no other draws than that of the schedule were tried."
    )
    key("outOfTime", \.isOutOfTime, unless: false, "Whether the time that shrinking may take was over.")
    key("executions", \.executions, "The number of executions that shrinking took.")
    key("reproduced", \.reproduced, "The number of replays that showed the violation again.")
    key("replayed", \.replayed, "The number of replays.")
  }
}

extension NearestPassingReport: ReportObject {
  static let about = "The most similar schedule known under which the invariant holds."
  static let keys = list {
    key("token", \.token, "The token of the schedule.")
    key("agreed", \.agreed, "The number of events that both executions share from the beginning.")
    key("passing", \.passing, "What the passing execution does next, in words.")
    key("failing", \.failing, "What the failing execution does next, in words.")
    key("timeline", \.chart, "The events of the passing execution from the first difference on.")
  }
}
