public import SimulatorCore

/// A type that decides. A strategy gets what happens as values and picks; it never sees the scheduler.
///
/// A strategy is a value that one exploration owns. It may use what it learns in one execution in the next. Three
/// functions make a strategy:
///
/// ```swift
/// import SimulatorStrategies
///
/// struct LastCome: SchedulingStrategy {
///   mutating func began(_ number: Int, seed: UInt64) {}
///   mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
///     .option(point.kind == .order && !point.atTimer ? point.options - point.anytime - 1 : 0)
///   }
///   mutating func ended(_ summary: Strategies.ExecutionSummary) {}
/// }
/// ```
///
/// A strategy that needs to know more also conforms to one of the protocols in `Strategies`. One that ranks steps, like
/// most in the literature, is a `Strategies.PartObserver` and leaves all other choices to `Strategies.SideChoices`. The
/// engine checks for these protocols once, when the strategy takes over, and never at a step. No requirement has a
/// default implementation, so a strategy that wraps another one and fails to forward a requirement does not compile.
public protocol SchedulingStrategy: Sendable {
  /// Begins execution `number` of the exploration, counted from 0. Everything random in it must be a function of
  /// `seed`, `number`, and what earlier executions taught.
  mutating func began(_ number: Int, seed: UInt64)

  /// Returns the decision at `point`, which has at least two options.
  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick

  /// Ends the execution. What it taught must not show before `Strategies.RoundObserver.roundEnded()`, except in a
  /// strategy whose every execution follows from the one before.
  mutating func ended(_ summary: Strategies.ExecutionSummary)
}

// MARK: - Further events for a strategy

extension Strategies {
  /// A strategy that gets the steps that could run, so that it can rank them by something other than age.
  public protocol CandidateObserver: SchedulingStrategy {
    /// True if the strategy observes the execution that has begun. Asked once per execution.
    var followsCandidates: Bool { get }

    /// Notes that `candidate` could run next.
    mutating func offered(_ candidate: Strategies.Candidate)

    /// Notes that the candidate cannot run for now, because its domain closed or an older candidate must go first. It
    /// may be offered again.
    mutating func withdrew(_ candidate: Strategies.Candidate)

    /// Notes that the candidate runs now.
    mutating func took(_ candidate: Strategies.Candidate)
  }
}

extension Strategies {
  /// A strategy that treats each part of a step as a step, if steps are preemptible. At each preemption point, the rest
  /// of the running step is offered as a candidate of the kind `Strategies.Candidate.Kind.parked`. If the step goes
  /// on, that candidate is taken. The strategy is also told of a point at which nothing else can run, but it is not
  /// asked about it.
  public protocol PartObserver: Strategies.CandidateObserver {
    /// True if the strategy observes the parts of the execution that has begun. Asked once per execution.
    var followsParts: Bool { get }

    /// Notes that the running part takes this lock, or comes to wait for it: `Strategies.Candidate.object`.
    mutating func used(_ lock: Int)
  }
}

extension Strategies {
  /// A strategy that gets what steps have in common. This costs the scheduler more than everything else.
  public protocol DependencyObserver: Strategies.CandidateObserver {
    /// True if the strategy observes dependencies in the execution that has begun. Asked once per execution.
    var followsDependencies: Bool { get }

    /// Notes that time passes, because nothing can run. Everything that happened before comes before everything after.
    mutating func timePassed()

    /// Notes that the *anytime* action with this number, among those that are left, happens now.
    mutating func acted(_ action: Int)

    /// Notes that the running step accessed `object`. Its own task and domain always count as accessed.
    mutating func accessed(_ object: Strategies.SharedObject, _ access: Strategies.Access)
  }
}

extension Strategies {
  /// A strategy that learns from round to round.
  public protocol RoundObserver: SchedulingStrategy {
    /// Notes that a round of executions has ended. What they taught may be used from here on.
    mutating func roundEnded()
  }
}

extension Strategies {
  /// A strategy that can be divided into copies. Each copy goes on by itself, and none knows what another one learns.
  ///
  /// Random executions need no division, because they are a function of the seed and the execution's number.
  public protocol Divisible: SchedulingStrategy {
    /// Makes this the copy number `part`, from 0, of `parts`. It keeps its share of the schedules that it would run
    /// because they have not run yet, as opposed to random ones. Called between two executions, once for each copy.
    mutating func divide(_ part: Int, of parts: Int)
  }
}

// MARK: - Properties of strategies

extension Strategies {
  /// A strategy whose own first execution is the natural order. For any other strategy, the exploration runs the
  /// natural order first, lets the strategy watch, and ignores its picks.
  public protocol StartsNaturally: SchedulingStrategy {}
}

extension Strategies {
  /// A strategy that comes to an end, because it aims to cover something.
  public protocol Covering: Strategies.StartsNaturally {
    /// The coverage that the strategy aims for.
    var goal: Strategies.Coverage { get }

    /// The coverage reached when nothing is left to try; nil while something is left. Asked before each execution.
    var covered: Strategies.Coverage? { get }
  }
}

extension Strategies {
  /// A strategy some of whose executions are random regardless of all others. Only those show how likely the next one
  /// is to reveal something new.
  public protocol IndependentSampling: SchedulingStrategy {
    /// True if the execution that has begun is such an independent one. Asked once per execution.
    var isIndependent: Bool { get }
  }
}
