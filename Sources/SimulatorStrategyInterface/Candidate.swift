public import SimulatorCore

extension Strategies {
  /// A step that could run next.
  public struct Candidate: Hashable, Sendable {
    /// An identity that ascends in the order in which candidates arrive, within one execution.
    public typealias ID = UInt32

    /// The reason why a step is runnable.
    public enum Kind: UInt8, Hashable, Sendable {
      /// A task begins.
      case start
      /// A task moves from one domain to another.
      case hop
      /// A task was woken.
      case wake
      /// A timer fired.
      case timer
      /// A parked step, preempted or blocked, resumes.
      case parked
      /// A sleep that is due ends, which wakes its task. Nothing of the program runs.
      case sleepEnd
    }

    /// The candidate's identity within its execution.
    public let id: ID
    /// The hashed path of its task, which is the same in every execution; 0 if the task is not known.
    public let task: UInt64
    /// The hashed path of the task that made its task; 0 if there is none.
    public let parent: UInt64
    /// The domain that it would run on, numbered by first appearance in the execution; 0 is the pool.
    public let domain: Int
    /// The domain under a name that is the same in every execution; 0 is the pool.
    public let place: UInt64
    /// The reason why it is runnable.
    public let kind: Kind
    /// The offset in the program's code at which its task resumes. It is the same in every execution of a build.
    public let code: UInt64
    /// The lock or atomic that a parked step uses first when it resumes. Locks and atomics are numbered separately, by
    /// first use in the execution. 0 if that is not known, and for all other candidates.
    public let object: Int
    /// True if it is withdrawn because a parked step is on its domain.
    package var isHeldByParked = false
    /// True if it is withdrawn because blocked steps keep all threads.
    package var isKeptOut = false

    package init(
      id: ID, task: UInt64, parent: UInt64, domain: Int, place: UInt64, kind: Kind, code: UInt64, object: Int,
      isHeldByParked: Bool = false
    ) {
      (self.id, self.task, self.parent, self.domain, self.place) = (id, task, parent, domain, place)
      (self.kind, self.code, self.object, self.isHeldByParked) = (kind, code, object, isHeldByParked)
    }

    /// The candidate, withdrawn because a parked step is on its domain.
    package var heldByParked: Strategies.Candidate {
      var held = self
      held.isHeldByParked = true
      return held
    }

    /// The candidate, withdrawn because blocked steps keep all threads.
    package var keptOut: Strategies.Candidate {
      var keptOut = self
      keptOut.isKeptOut = true
      return keptOut
    }
  }
}
