/// Decides. Told what happens as values and asked to pick; never sees the scheduler.
///
/// A strategy is a value that one exploration owns. What it learns in one execution it may use in the next.
public protocol Strategy: Sendable {
  /// Whether ``offered(_:)``, ``withdrew(_:)`` and ``took(_:)`` are wanted. Asked once an execution.
  var followsCandidates: Bool { get }

  /// Whether ``accessed(_:_:)``, ``timePassed()`` and ``acted(_:)`` are wanted too. Asked once an execution; it costs the scheduler more than the rest.
  var followsDependencies: Bool { get }

  /// Whether its own first execution is the natural order; otherwise the exploration runs that first, and only
  /// lets the strategy watch.
  var startsNaturally: Bool { get }

  /// Whether the execution that has begun is drawn without regard to any other: those alone tell how likely the
  /// next one is to show something new.
  var isIndependent: Bool { get }

  /// What the strategy sets out to cover; nil if it never ends by itself.
  var goal: Coverage? { get }

  /// What has been covered when nothing is left to try; nil while something is. Asked before each execution.
  var covered: Coverage? { get }

  /// The exploration will run at most `schedules` executions under this strategy. Told once, before the first.
  mutating func planned(schedules: Int)

  /// Execution `number` of the exploration begins, from 0. What a strategy draws by chance in it must be a
  /// function of `seed`, `number` and what earlier executions taught.
  mutating func began(_ number: Int, seed: UInt64)

  /// `candidate` could run next.
  mutating func offered(_ candidate: Candidate)

  /// The candidate cannot run for now: its domain closed, or an older one must go first. It may be offered again.
  mutating func withdrew(_ candidate: Candidate)

  /// The candidate runs now.
  mutating func took(_ candidate: Candidate)

  /// Time passes, because nothing can run: all that happened before comes before all that will.
  mutating func timePassed()

  /// The *anytime* action with this number, of those that are left, happens now.
  mutating func acted(_ action: Int)

  /// The step that runs now touched `object`: beside its own task and domain, which go without saying.
  mutating func accessed(_ object: SharedObject, _ access: SharedObject.Access)

  /// Decides at `point`, which has at least two options.
  mutating func pick(_ point: ChoicePoint) -> Pick

  /// The execution has ended. What it taught must not show before ``roundEnded()``, except in a strategy whose
  /// every execution follows from the one before.
  mutating func ended(_ summary: ExecutionSummary)

  /// A round of executions has ended: what they taught may be used from here on.
  mutating func roundEnded()
}

extension Strategy {
  public var followsCandidates: Bool { false }
  public var followsDependencies: Bool { false }
  public var startsNaturally: Bool { false }
  public var isIndependent: Bool { false }
  public var goal: Coverage? { nil }
  public var covered: Coverage? { nil }
  public mutating func planned(schedules: Int) {}
  public mutating func offered(_ candidate: Candidate) {}
  public mutating func withdrew(_ candidate: Candidate) {}
  public mutating func took(_ candidate: Candidate) {}
  public mutating func timePassed() {}
  public mutating func acted(_ action: Int) {}
  public mutating func accessed(_ object: SharedObject, _ access: SharedObject.Access) {}
  public mutating func ended(_ summary: ExecutionSummary) {}
  public mutating func roundEnded() {}
}

/// What a strategy has covered when nothing is left for it to try.
public enum Coverage: Hashable, Codable, Sendable {
  /// Every schedule.
  case everySchedule
  /// Every schedule with at most so many deviations from the natural order.
  case deviations(atMost: Int)
  /// At least one schedule of every behaviour.
  case everyBehaviour
}

/// Something that steps of different domains can have in common.
public enum SharedObject: Hashable, Sendable {
  /// Whether a task is cancelled, by the hash of its path.
  case task(UInt64)
  /// The result of a task.
  case result(UInt64)
  /// The children of a task in its groups, as far as they have finished.
  case group(UInt64)
  /// Who came first to a domain, by its name.
  case mailbox(UInt64)
  /// A fake, by the hash of its name.
  case fake(UInt64)
  /// The buffer of an `AsyncStream` or `AsyncThrowingStream`, by its maker.
  case stream(UInt64)
  /// What the program has declared by ``Simulation/access(_:_:)``, by the hash of its name.
  case declared(UInt64)
  /// The deadlines that are pending.
  case timers
  /// The generator behind everything random.
  case randomness
  /// What the invariants look at.
  case watched
  /// Anything at all.
  case everything

  /// How an object was touched. Two touches of one object commute if they are equal and not `exclusive`.
  public enum Access: UInt8, Hashable, Sendable {
    case exclusive, added, read
    /// As one of several, all of which whoever reads next has had to wait for.
    case joined
  }
}

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
}

/// A decision to be made.
public struct ChoicePoint: Sendable {
  /// What is decided.
  public let kind: Choice.Kind
  /// How many options there are; at least two. The last ``anytime`` of an order choice are actions.
  public let options: Int
  /// How many of the options are *anytime* actions, which come last.
  public let anytime: Int
  /// Whether the first option is to let time pass instead of running a candidate.
  public let atTimer: Bool
  /// The position of the choice in the execution, from 0.
  public let position: Int
}

/// What a strategy decides.
public enum Pick: Hashable, Sendable {
  /// The option with this number; for an order choice, candidates by age and then *anytime* actions.
  case option(Int)
  /// The candidate with this identity, which must be on offer.
  case candidate(Candidate.ID)
}

/// How an execution went, for a strategy that learns.
public struct ExecutionSummary: Sendable {
  /// The number of choices made.
  public let choices: Int
  /// The number of order choices among them.
  public let orderChoices: Int
  /// The number of steps run.
  public let steps: Int
  /// Whether an invariant was violated.
  public let violated: Bool
  /// A hash of what happened, in the order in which it happened.
  public let digest: UInt64
  /// A hash of what each domain and each fake saw, whatever the order among them.
  public let behaviour: UInt64
}
