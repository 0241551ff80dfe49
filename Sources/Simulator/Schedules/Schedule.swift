/// The tape: every decision of one execution that was not the natural one, by its position.
///
/// A schedule replays its execution exactly. The empty schedule is the natural order.
public struct Schedule: Hashable, Codable, Sendable {
  /// One choice that was not natural.
  public struct Deviation: Hashable, Codable, Sendable {
    /// The position of the choice among the execution's choices, from 0.
    public let position: Int
    /// The option taken; never 0.
    public let taken: Int
    /// How many options there were.
    public let options: Int

    /// A deviation at `position` that took option `taken` of `options`.
    public init(position: Int, taken: Int, options: Int) {
      self.position = position
      self.taken = taken
      self.options = options
    }
  }

  /// The choices that were not natural, in the order of their positions.
  public let deviations: [Deviation]

  /// A schedule of the given deviations, which must be sorted by position.
  public init(deviations: [Deviation]) {
    precondition(
      zip(deviations, deviations.dropFirst()).allSatisfy { $0.position < $1.position },
      "a schedule's deviations are sorted by position, one a position")
    self.deviations = deviations
  }

  /// The natural order throughout.
  public static let natural = Schedule(deviations: [])
}
