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

    /// Whether nothing is left out.
    var isComplete: Bool { self == .everySchedule || self == .everyBehaviour }
  }
}
