extension Strategies {
  /// What a strategy has covered when nothing is left for it to try.
  public enum Coverage: Hashable, Codable, Sendable {
    /// Every schedule.
    case everySchedule
    /// Every schedule with at most so many deviations from the natural order.
    case deviations(atMost: Int)
    /// At least one schedule of every behaviour.
    case everyBehaviour
  }
}
