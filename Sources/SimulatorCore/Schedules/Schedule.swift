/// The tape: every decision of one execution that was not the natural one, with its position.
///
/// A schedule replays its execution exactly. The empty schedule is the natural order.
public struct Schedule: Hashable, Codable, Sendable {
  /// One choice that was not natural.
  public struct Deviation: Hashable, Codable, Sendable {
    /// The position of the choice among the execution's choices, from 0.
    public let position: Int
    /// The option taken; never 0.
    public let taken: Int
    /// The number of options.
    public let options: Int

    /// Creates a deviation at `position` that took option `taken` of `options`.
    public init(position: Int, taken: Int, options: Int) {
      self.position = position
      self.taken = taken
      self.options = options
    }
  }

  /// The choices that were not natural, in the order of their positions.
  public let deviations: [Deviation]
  /// True if its steps may overlap, which adds choices of its own: see ``Simulation/Options/Steps``.
  public let hasPreemptibleSteps: Bool

  /// The places in code at which a step may be preempted before it accesses memory, each of which is a choice. Empty
  /// unless the search looked for a data race.
  public let accessPoints: [CodePoint]

  /// A place in code that is the same in every process, and in builds in which only other functions have changed.
  public struct CodePoint: Hashable, Codable, Sendable {
    /// A hash of the function's mangled name.
    public let function: UInt32
    /// The number of bytes of code before it in the function.
    public let offset: UInt32

    /// Creates the place `offset` bytes into the function with this hash.
    public init(function: UInt32, offset: UInt32) {
      self.function = function
      self.offset = offset
    }
  }

  /// Creates a schedule of the given deviations, which must be sorted by position.
  public init(deviations: [Deviation], hasPreemptibleSteps: Bool = false, accessPoints: [CodePoint] = []) {
    precondition(
      zip(deviations, deviations.dropFirst()).allSatisfy { $0.position < $1.position },
      "a schedule's deviations are sorted by position, one a position")
    self.deviations = deviations
    self.hasPreemptibleSteps = hasPreemptibleSteps
    self.accessPoints = accessPoints
  }

  /// The natural order throughout.
  public static let natural = Schedule(deviations: [])
}
