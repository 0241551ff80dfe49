/// Decides. A strategy is told what happens as values and asked to pick; it never sees the scheduler.
///
/// A strategy is a value that one exploration owns. What it learns in one execution it may use in the next.
/// Three functions make one:
///
/// ```swift
/// struct LastCome: Strategy {
///   mutating func began(_ number: Int, seed: UInt64) {}
///   mutating func pick(_ point: ChoicePoint) -> Pick {
///     .option(point.kind == .order && !point.atTimer ? point.options - point.anytime - 1 : 0)
///   }
///   mutating func ended(_ summary: ExecutionSummary) {}
/// }
/// ```
///
/// A strategy that needs to know more says so by conforming to one of the protocols below it in this file.
/// The engine looks once for these when the strategy takes over, never at a step. No requirement has a
/// default implementation: a strategy that wraps another and forgets to forward something does not compile.
public protocol Strategy: Sendable {
  /// Execution `number` of the exploration begins, from 0. What a strategy draws by chance in it must be a
  /// function of `seed`, `number` and what earlier executions taught.
  mutating func began(_ number: Int, seed: UInt64)

  /// Decides at `point`, which has at least two options.
  mutating func pick(_ point: ChoicePoint) -> Pick

  /// The execution has ended. What it taught must not show before ``RoundObserver/roundEnded()``, except in a
  /// strategy whose every execution follows from the one before.
  mutating func ended(_ summary: ExecutionSummary)
}

// MARK: - What a strategy is told besides

/// A strategy that is told which steps could run, so that it can rank them by anything but age.
public protocol CandidateObserver: Strategy {
  /// Whether the execution that has begun is to be observed. Asked once an execution.
  var followsCandidates: Bool { get }

  /// `candidate` could run next.
  mutating func offered(_ candidate: Candidate)

  /// The candidate cannot run for now: its domain closed, or an older one must go first. It may be offered
  /// again.
  mutating func withdrew(_ candidate: Candidate)

  /// The candidate runs now.
  mutating func took(_ candidate: Candidate)
}

/// A strategy that is told what steps have in common. It costs the scheduler more than all else.
public protocol DependencyObserver: CandidateObserver {
  /// Whether the execution that has begun is to be observed so closely. Asked once an execution.
  var followsDependencies: Bool { get }

  /// Time passes, because nothing can run: all that happened before comes before all that will.
  mutating func timePassed()

  /// The *anytime* action with this number, of those that are left, happens now.
  mutating func acted(_ action: Int)

  /// The step that runs now accessed `object`, beside its own task and domain, which are always taken for
  /// accessed.
  mutating func accessed(_ object: SharedObject, _ access: SharedObject.Access)
}

/// A strategy that learns from round to round.
public protocol RoundObserver: Strategy {
  /// A round of executions has ended: what they taught may be used from here on.
  mutating func roundEnded()
}

/// A strategy that divides a budget.
public protocol BudgetObserver: Strategy {
  /// The exploration will run at most `schedules` executions under this strategy. Told once, before the
  /// first.
  mutating func planned(schedules: Int)
}

// MARK: - What a strategy is

/// A strategy whose own first execution is the natural order. For any other the exploration runs the natural
/// order first, lets the strategy watch, and ignores what it picks.
public protocol StartsNaturally: Strategy {}

/// A strategy that comes to an end: it sets out to cover something.
public protocol CoveringStrategy: StartsNaturally {
  /// What the strategy sets out to cover.
  var goal: Coverage { get }

  /// What has been covered when nothing is left to try; nil while something is. Asked before each execution.
  var covered: Coverage? { get }
}

/// A strategy some of whose executions are drawn without regard to any other. Those alone tell how likely the
/// next one is to show something new.
public protocol IndependentSampling: Strategy {
  /// Whether the execution that has begun is drawn so. Asked once an execution.
  var isIndependent: Bool { get }
}
