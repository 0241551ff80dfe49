/// Decides. Told what happens as values and asked to pick; never sees the scheduler.
///
/// A strategy is a value that one exploration owns. What it learns in one execution it may use in the next.
public protocol Strategy: Sendable {
  /// Whether ``offered(_:)``, ``withdrew(_:)`` and ``took(_:)`` are wanted. Asked once an execution.
  var followsCandidates: Bool { get }

  /// Execution `number` of the exploration begins, from 0. What a strategy draws by chance in it must be a
  /// function of `seed`, `number` and what earlier executions taught.
  mutating func began(_ number: Int, seed: UInt64)

  /// `candidate` could run next.
  mutating func offered(_ candidate: Candidate)

  /// The candidate cannot run for now: its domain closed, or an older one must go first. It may be offered again.
  mutating func withdrew(_ candidate: Candidate.ID)

  /// The candidate runs now.
  mutating func took(_ candidate: Candidate.ID)

  /// Decides at `point`, which has at least two options.
  mutating func pick(_ point: ChoicePoint) -> Pick

  /// The execution has ended.
  mutating func ended(_ summary: ExecutionSummary)
}

extension Strategy {
  public var followsCandidates: Bool { false }
  public mutating func offered(_ candidate: Candidate) {}
  public mutating func withdrew(_ candidate: Candidate.ID) {}
  public mutating func took(_ candidate: Candidate.ID) {}
  public mutating func ended(_ summary: ExecutionSummary) {}
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
  /// The domain on which it would run, numbered by first appearance in the execution; 0 is the pool.
  public let domain: Int
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
  /// A hash of what happened.
  public let digest: UInt64
}
