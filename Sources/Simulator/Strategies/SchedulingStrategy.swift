/// Decides. A strategy is told what happens as values and asked to pick; it never sees the scheduler.
///
/// A strategy is a value that one exploration owns. What it learns in one execution it may use in the next.
/// Three functions make one:
///
/// ```swift
/// struct LastCome: Strategy {
///   mutating func began(_ number: Int, seed: UInt64) {}
///   mutating func pick(_ point: Strategies.ChoicePoint) -> Pick {
///     .option(point.kind == .order && !point.atTimer ? point.options - point.anytime - 1 : 0)
///   }
///   mutating func ended(_ summary: Strategies.ExecutionSummary) {}
/// }
/// ```
///
/// A strategy that needs to know more says so by conforming to one of the protocols below it in this file.
/// The engine looks once for these when the strategy takes over, never at a step. No requirement has a
/// default implementation: a strategy that wraps another and forgets to forward something does not compile.
public protocol SchedulingStrategy: Sendable {
  /// Execution `number` of the exploration begins, from 0. What a strategy draws by chance in it must be a
  /// function of `seed`, `number` and what earlier executions taught.
  mutating func began(_ number: Int, seed: UInt64)

  /// Decides at `point`, which has at least two options.
  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick

  /// The execution has ended. What it taught must not show before ``Strategies/RoundObserver/roundEnded()``, except in a
  /// strategy whose every execution follows from the one before.
  mutating func ended(_ summary: Strategies.ExecutionSummary)
}

// MARK: - What a strategy is told besides

extension Strategies {
  /// A strategy that is told which steps could run, so that it can rank them by anything but age.
  public protocol CandidateObserver: SchedulingStrategy {
    /// Whether the execution that has begun is to be observed. Asked once an execution.
    var followsCandidates: Bool { get }

    /// `candidate` could run next.
    mutating func offered(_ candidate: Strategies.Candidate)

    /// The candidate cannot run for now: its domain closed, or an older one must go first. It may be offered
    /// again.
    mutating func withdrew(_ candidate: Strategies.Candidate)

    /// The candidate runs now.
    mutating func took(_ candidate: Strategies.Candidate)
  }
}

extension Strategies {
  /// A strategy to which each part of a step is a step, where steps overlap: at each point at which the running step may be
  /// left, what remains of it is offered, as a candidate that is ``Strategies/Candidate/Kind/standing``. If the step goes
  /// on, that one is taken; a point at which nothing else can run is told, too, and not asked about.
  public protocol PartObserver: Strategies.CandidateObserver {
    /// Whether the execution that has begun is to be observed so. Asked once an execution.
    var followsParts: Bool { get }

    /// The part that runs now takes this lock, or comes to wait for it: ``Strategies/Candidate/object``.
    mutating func used(_ lock: Int)
  }
}

extension Strategies {
  /// A strategy that is told what steps have in common. It costs the scheduler more than all else.
  public protocol DependencyObserver: Strategies.CandidateObserver {
    /// Whether the execution that has begun is to be observed so closely. Asked once an execution.
    var followsDependencies: Bool { get }

    /// Time passes, because nothing can run: all that happened before comes before all that will.
    mutating func timePassed()

    /// The *anytime* action with this number, of those that are left, happens now.
    mutating func acted(_ action: Int)

    /// The step that runs now accessed `object`, beside its own task and domain, which are always taken for
    /// accessed.
    mutating func accessed(_ object: Strategies.SharedObject, _ access: Strategies.SharedObject.Access)
  }
}

extension Strategies {
  /// A strategy that learns from round to round.
  public protocol RoundObserver: SchedulingStrategy {
    /// A round of executions has ended: what they taught may be used from here on.
    mutating func roundEnded()
  }
}

extension Strategies {
  /// A strategy that can be divided: copies of it go on, each by itself, and none knows what another learns.
  ///
  /// What is drawn by chance needs no division, because it is a function of the seed and of the execution's number.
  public protocol Divisible: SchedulingStrategy {
    /// From here on this is copy `part`, from 0, of `parts`. Of the schedules that it would run because they have not been
    /// run, and not by chance, it takes its share. Asked between two executions, once a copy.
    mutating func divide(_ part: Int, of parts: Int)
  }
}

// MARK: - What a strategy is

extension Strategies {
  /// A strategy whose own first execution is the natural order. For any other the exploration runs the natural
  /// order first, lets the strategy watch, and ignores what it picks.
  public protocol StartsNaturally: SchedulingStrategy {}
}

extension Strategies {
  /// A strategy that comes to an end: it sets out to cover something.
  public protocol Covering: Strategies.StartsNaturally {
    /// What the strategy sets out to cover.
    var goal: Strategies.Coverage { get }

    /// What has been covered when nothing is left to try; nil while something is. Asked before each execution.
    var covered: Strategies.Coverage? { get }
  }
}

extension Strategies {
  /// A strategy some of whose executions are drawn without regard to any other. Those alone tell how likely the
  /// next one is to show something new.
  public protocol IndependentSampling: SchedulingStrategy {
    /// Whether the execution that has begun is drawn so. Asked once an execution.
    var isIndependent: Bool { get }
  }
}

/// The ways to search, and the values that a strategy is told with.
public enum Strategies {}
