import Simulator

/// One violation, ready to be rendered.
struct ViolationReport: Equatable, Sendable {
  let invariant: String
  /// Whether the file knows it.
  let isExpected: Bool
  /// The race by its name; nil if that is not known for certain.
  let race: String?
  /// The race and what went wrong: the first line of the explanation.
  let headline: String
  /// The events that prove the race's name, and where they happened.
  let evidence: String?
  /// What went wrong, with the values in it.
  let message: String
  let time: VirtualInstant
  let step: Int
  /// The number of the schedule that found it, from 0.
  let number: Int
  let token: String
  /// Whether its schedule alone decides about it, so that it can be recorded.
  let isReplayable: Bool
  /// The command that replays it.
  let replayCommand: String
  let shrinking: ShrinkingReport?
  /// The events that matter; none where the violation is not explained.
  let timeline: [Explorer.Timeline.Entry]
  let nearestPassing: NearestPassingReport?
  /// What a picture shows of its execution; nil where no report draws one.
  var chart: Explorer.Chart?
  /// All of this as a person reads it, in 80 columns, without the line that replays it; the headline where
  /// the violation is not explained.
  let explanation: String
  /// What its schedule shows in a fresh process; nil if that was not tried.
  var freshReplay: Invariant.Violation.FreshReplay?
  /// The shard that found it; nil for a run that was not divided.
  var shard: Int?
}

/// How the schedule of a violation was made smaller.
struct ShrinkingReport: Equatable, Sendable {
  /// How many deviations the schedule had when it was found.
  let found: Int
  /// How many choices that execution had.
  let choices: Int
  /// The deviations that are left, in words, in order.
  let deviations: [String]
  /// Whether every schedule with fewer deviations was tried.
  let isMinimal: Bool
  /// How many executions that took.
  let executions: Int
  /// How many of so many replays violated the invariant again, with the same trace.
  let reproduced: Explorer.Ratio
}

/// The most similar schedule known under which the invariant holds.
struct NearestPassingReport: Equatable, Sendable {
  let token: String
  /// How many events both runs share from the beginning.
  let agreed: Int
  /// What each of them then did.
  let passing: String
  let failing: String
  /// What a picture shows of it, from the first difference on; nil where no report draws one.
  var chart: Explorer.Chart?
}
