package import Simulator

/// How long and in which manner schedules are tried.
package struct Search: Codable, Equatable, Sendable {
  package var strategy = StrategyDescriptor.usual
  /// The budget.
  package var schedules = 1000
  package var seed: UInt64 = 0
  /// The virtual time at which an execution ends if it has not ended by itself.
  package var until = Nanoseconds.seconds(60)
  /// Whether a step is run as a whole, or may be left in its middle.
  package var steps = Simulation.Options.Steps.asNeeded
  /// How many steps may run without virtual time moving; one more is a livelock.
  package var stepLimitPerInstant = 1_000_000
  /// How much later than its deadline a sleep may end.
  package var timerJitter = Nanoseconds.zero
  /// How many threads the global executor has for each priority; nil for as many as the machine has cores.
  package var poolThreads: Int?
  /// All schedules with up to so many deviations from the natural order; nil when none is asked for.
  package var exhaustDeviations: Int?
  /// How far the stories go that are all tried, before the strategy or by it; nil where none is asked for.
  package var bound: Strategies.StoryBound?
  /// Whether every execution has a process of its own; no file says so.
  package var isFresh = false

  package init() {}
}

extension Search {
  /// Whether the strategy tries all stories.
  package var isOfStories: Bool { strategy == "stories" }

  package static let scheduleLimits = 1...10_000_000
  static let stepLimits = 1...1_000_000_000
  static let threadLimits = 1...1024
  static let deviationLimits = 1...16
  package static let storyLimits = 0...16
  static let untilLimits = Nanoseconds(1)...Nanoseconds.longest
}
