extension Invariant {
  /// How the schedule of a violation was made smaller.
  public struct Shrinking: Codable, Sendable {
    /// The schedule as the search found it.
    public let found: Schedule
    /// How many choices that execution had.
    public let choices: Int
    /// The deviations that are left, in words, in order.
    public let deviations: [String]
    /// Where in the trace they show.
    let marks: [Mark]
    /// Whether fewer would do.
    public let minimality: Minimality
    /// How many executions that took.
    public let executions: Int
    /// Whether ``Explorer/Budget/shrinkingTime`` ended it: then another machine may come to fewer deviations.
    public let isOutOfTime: Bool
    /// How often it was replayed: ``replays`` times, or less where each takes real time.
    public let replayed: Int
    /// How many of these replays violated the invariant again, with the same trace.
    public let reproduced: Int
    /// The most similar schedule known under which the invariant holds.
    public internal(set) var nearestPassing: Invariant.NearestPassing?

    /// How often the smaller schedule is replayed.
    public static let replays = 10

    /// Where a deviation shows: in a step, or as an action after one.
    struct Mark: Hashable, Codable, Sendable {
      let step: Int
      let isAction: Bool
    }

    /// Whether fewer deviations would do.
    public enum Minimality: Hashable, Codable, Sendable {
      /// No: every schedule with fewer holds, so many have been tried. 0 when the natural order violates.
      case proved(tried: Int)
      /// Not known, except that every schedule with fewer than `below` holds.
      case exhausted(below: Int, tried: Int)
    }
  }
}

extension Invariant {
  /// The schedule most similar to a failing one under which the invariant holds, as far as is known: it differs
  /// in one choice, or where that is not enough in as few as delta debugging leaves.
  public struct NearestPassing: Codable, Sendable {
    /// What replays it.
    public let token: Schedule.Token
    /// What happened under it, whole.
    public let trace: Trace
    /// How many events both runs share from the beginning.
    public let agreed: Int
    let next: Trace.Excerpt
    let failingNext: Trace.Excerpt

    /// What this one then did: milliseconds, where a source line is in it.
    public var passing: String { next.text }
    /// What the failing one then did: milliseconds, where a source line is in it.
    public var failing: String { failingNext.text }
  }
}
