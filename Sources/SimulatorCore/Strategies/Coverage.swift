extension Strategies {
  /// The part of all schedules that a strategy has covered when it has nothing left to try.
  public enum Coverage: Hashable, Codable, Sendable {
    /// Every schedule. For a time that is a range: every schedule in which it ends at its low end, at an instant where
    /// time stops for something else, or at its high end; each together with what is due then, or after it.
    case everySchedule
    /// Every schedule with at most this many deviations from the natural order.
    case deviations(atMost: Int)
    /// At least one schedule of every behavior of those schedules.
    case everyBehavior
    /// Every story within the bound.
    case stories(Strategies.StoryBound)

    /// True if nothing is left out.
    package var isComplete: Bool { self == .everySchedule || self == .everyBehavior }
  }
}

extension Strategies {
  /// The bounds of generated stories: how much of each kind may differ from the natural course.
  public struct StoryBound: Hashable, Codable, Sendable {
    /// The maximum number of actions that the user takes.
    public var actions: Int
    /// The maximum number of replies, faults, and delays of the world that differ from the natural one.
    public var answers: Int
    /// The maximum number of decisions about the order of steps and about time that differ from the natural one.
    public var deviations: Int

    /// Creates a bound with these maximums.
    public init(actions: Int = 2, answers: Int = 1, deviations: Int = 1) {
      self.actions = actions
      self.answers = answers
      self.deviations = deviations
    }
  }
}
