import Simulator

/// How long and in which manner schedules are tried.
struct Search: Codable, Equatable, Sendable {
  var strategy = StrategyDescriptor.usual
  /// The budget.
  var schedules = 1000
  var seed: UInt64 = 0
  /// The virtual time at which an execution ends if it has not ended by itself.
  var until = Nanoseconds.seconds(60)
  /// Whether a step is run as a whole, or may be left in its middle.
  var steps = Simulation.Options.Steps.asNeeded
  /// How many steps may run without virtual time moving; one more is a livelock.
  var stepsAtOneInstant = 1_000_000
  /// How much later than its deadline a sleep may end.
  var timerJitter = Nanoseconds.zero
  /// All schedules with up to so many deviations from the natural order; nil when none is asked for.
  var exhaustDeviations: Int?
  /// How far the stories go that are all tried, before the strategy or by it; nil where none is asked for.
  var bound: Strategies.StoryBound?
  /// Whether every execution has a process of its own; no file says so.
  var isFresh = false
}

extension Search {
  /// Whether the strategy tries all stories.
  var isOfStories: Bool { strategy == "stories" }

  static let scheduleLimits = 1...10_000_000
  static let stepLimits = 1...1_000_000_000
  static let deviationLimits = 1...16
  static let storyLimits = 0...16
  static let untilLimits = Nanoseconds(1)...Nanoseconds.longest
}
