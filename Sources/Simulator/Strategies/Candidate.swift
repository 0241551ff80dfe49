extension Strategies {
  /// A step that could run next.
  public struct Candidate: Hashable, Sendable {
    /// Ascends in the order in which candidates arrived, within one execution.
    public typealias ID = UInt32

    /// How a step came to be runnable.
    public enum Kind: UInt8, Hashable, Sendable {
      /// A task begins.
      case start
      /// A task goes from one domain to another.
      case hop
      /// A task was woken.
      case wake
      /// A timer fired.
      case timer
      /// A step that was left in its middle, or had to wait there, goes on.
      case standing
    }

    /// The candidate's identity within its execution.
    public let id: ID
    /// The path of its task, hashed: the same in every execution. 0 when the task is not known.
    public let task: UInt64
    /// The path of the task that made its task, hashed; 0 when there is none.
    public let parent: UInt64
    /// The domain on which it would run, numbered by first appearance in the execution; 0 is the pool.
    public let domain: Int
    /// The same domain under a name that is the same in every execution; 0 is the pool.
    public let place: UInt64
    /// How it came to be runnable.
    public let kind: Kind
    /// Where in the program's code its task goes on, as an offset: the same in every execution of a build.
    public let code: UInt64
    /// Of a step that goes on in its middle, the lock or the atomic that it uses first, numbered by first use in the
    /// execution, locks and atomics apart; 0 where that is not known, and for all others.
    public let object: Int
    /// Whether it is withdrawn because a step stands on its domain.
    var isHeldByParked = false

    /// The same, withdrawn because a step stands on its domain.
    var heldByParked: Strategies.Candidate {
      var held = self
      held.isHeldByParked = true
      return held
    }
  }
}
