extension Strategies {
  /// What a strategy has covered when nothing is left for it to try.
  public enum Coverage: Hashable, Codable, Sendable {
    /// Every schedule. Of a time that is a range: every schedule in which it ends at its low end, where time stops for
    /// something else, or at its high end; together with what is due then, or after it.
    case everySchedule
    /// Every schedule with at most so many deviations from the natural order.
    case deviations(atMost: Int)
    /// At least one schedule of every behaviour of those schedules.
    case everyBehaviour
    /// Every story within the bound.
    case stories(Strategies.StoryBound)

    /// Whether nothing is left out.
    var isComplete: Bool { self == .everySchedule || self == .everyBehaviour }
  }
}

extension Strategies {
  /// How far stories go that are made up: how much of each kind may be other than natural.
  public struct StoryBound: Hashable, Codable, Sendable {
    /// How many actions the user takes at most.
    public var actions: Int
    /// How many answers of the world are other than the natural one at most: replies, faults, delays.
    public var answers: Int
    /// How many decisions about the order of steps and about time are other than the natural one at most.
    public var deviations: Int

    /// At most so many of each.
    public init(actions: Int = 2, answers: Int = 1, deviations: Int = 1) {
      self.actions = actions
      self.answers = answers
      self.deviations = deviations
    }
  }
}
