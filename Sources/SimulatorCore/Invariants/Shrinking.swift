extension Invariant {
  /// The result of making the schedule of a violation smaller.
  public struct Shrinking: Codable, Sendable {
    /// The schedule as the search found it.
    public let originalSchedule: Schedule
    /// The number of choices in that execution.
    public let choices: Int
    /// The remaining deviations, described in words, in order.
    public let deviations: [String]
    /// The places in the trace where the deviations show.
    package let marks: [Mark]
    /// The number of deviations by which a fake fails otherwise than by nature.
    package let faults: Int
    /// The answer to whether fewer deviations would do.
    public let minimality: Minimality
    /// True if the program asked for random numbers. Shrinking draws no others than those of the schedule and the usual ones.
    public let drewNumbers: Bool
    /// The number of executions that shrinking took.
    public let executions: Int
    /// True if ``Explorer/Budget/shrinkingTime`` ended the shrinking: another machine may then arrive at fewer
    /// deviations.
    public let isOutOfTime: Bool
    /// The number of times that it was replayed: ``maximumReplays``, or fewer if each replay takes real time.
    public let replayed: Int
    /// The number of these replays that violated the invariant again, with the same trace.
    public let reproduced: Int
    /// The most similar schedule known under which the invariant holds.
    public package(set) var nearestPassing: Invariant.NearestPassing?

    package init(
      originalSchedule: Schedule, choices: Int, deviations: [String], marks: [Mark], faults: Int,
      minimality: Minimality, drewNumbers: Bool = false,
      executions: Int, isOutOfTime: Bool, replayed: Int, reproduced: Int,
      nearestPassing: Invariant.NearestPassing? = nil
    ) {
      (self.originalSchedule, self.choices, self.deviations, self.marks) = (
        originalSchedule, choices, deviations, marks
      )
      (self.faults, self.drewNumbers) = (faults, drewNumbers)
      (self.minimality, self.executions, self.isOutOfTime) = (minimality, executions, isOutOfTime)
      (self.replayed, self.reproduced, self.nearestPassing) = (replayed, reproduced, nearestPassing)
    }

    /// The greatest number of times that the smaller schedule is replayed.
    public static let maximumReplays = 10

    /// The place where a deviation shows: in a step, or as an action after one.
    package struct Mark: Hashable, Codable, Sendable {
      package let step: Int
      package let isAction: Bool

      package init(step: Int, isAction: Bool) {
        (self.step, self.isAction) = (step, isAction)
      }
    }

    /// The answer to whether fewer deviations would do.
    public enum Minimality: Hashable, Codable, Sendable {
      /// No: the invariant holds under every schedule with fewer, and `tried` of them were run. 0 when the natural
      /// order violates it.
      case proved(tried: Int)
      /// Not known, except that the invariant holds under every schedule with fewer than `below`.
      case exhausted(below: Int, tried: Int)
    }
  }
}

extension Invariant {
  /// The most similar schedule known to a failing one under which the invariant holds. It differs in one choice, or, if
  /// that is not enough, in as few choices as delta debugging leaves.
  public struct NearestPassing: Codable, Sendable {
    /// The token that replays it.
    public let token: Schedule.Token
    /// The complete trace of its execution.
    public let trace: Trace
    /// The number of events that both runs share from the beginning.
    public let agreed: Int
    package let next: Trace.Excerpt
    package let failingNext: Trace.Excerpt

    package init(
      token: Schedule.Token, trace: Trace, agreed: Int, next: Trace.Excerpt, failingNext: Trace.Excerpt
    ) {
      (self.token, self.trace, self.agreed, self.next) = (token, trace, agreed, next)
      self.failingNext = failingNext
    }

    /// The event that follows in the passing run. Takes milliseconds if it contains a source line.
    public var passing: String { next.text }
    /// The event that follows in the failing run. Takes milliseconds if it contains a source line.
    public var failing: String { failingNext.text }
  }
}
