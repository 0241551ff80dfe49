/// A tiny program with the complete set of outcomes that Swift's runtime allows it.
///
/// Whoever runs it, the real runtime or a simulation, may return nothing else. A program ends by itself, reads no
/// clock, and depends on nothing but the order of its steps.
public struct Litmus: Sendable {
  /// Unique among all programs; words joined by hyphens.
  public let name: String

  /// What the program does, in a sentence.
  public let about: String

  /// Every outcome that the runtime allows, and no other.
  public let outcomes: Set<String>

  /// Why these outcomes and no others.
  public let why: String

  /// The outcomes that arise only when one step runs while another is in its middle: a scheduler of whole steps
  /// misses them.
  public let overlapOnly: Set<String>

  /// Those of ``overlapOnly`` in which the interrupted step has woken nobody, so that setting a step aside where it
  /// wakes somebody does not reach them either.
  public let preemptionOnly: Set<String>

  /// Those of ``overlapOnly`` that the language allows and sequential consistency does not: memory shows the tasks' changes in
  /// different orders. A simulation runs one task at a time and never reaches them.
  public let weakOnly: Set<String>

  /// Whether 10,000 random schedules must show every outcome outside ``overlapOnly``.
  public let exhaustive: Bool

  /// Whether the program waits for timers whose order counts: milliseconds a run, and noise would prove nothing.
  public let timed: Bool

  /// Whether a step waits in its middle for another: whole steps cannot run the program, and for real a thread waits.
  public let waits: Bool

  /// Whether the program shares nothing but atomics and `Mutex`es: a simulation follows it only in a build with the flag.
  public let isAtomic: Bool

  /// Whether a task tries again and again until another has done something: a depth-first search would try each number of
  /// attempts.
  public let spins: Bool

  /// Whether the program has more orders than a search comes to the end of: requests of Foundation's, which share its queues.
  public let isVast: Bool

  /// Whether the outcome depends on random numbers: a search in order covers one draw of them, and random schedules cover all.
  public let draws: Bool

  /// Runs the program once and returns its outcome.
  public let program: Program

  /// Begins on the concurrent pool.
  public typealias Program = @concurrent @Sendable () async -> String

  /// Whether the program has one outcome only: a race that cannot happen.
  public var isSilent: Bool { outcomes.count == 1 }

  /// The outcomes that steps that overlap must reach; to set a step aside within its middle is not demanded.
  public var overlapping: Set<String> { outcomes.subtracting(preemptionOnly).subtracting(weakOnly) }

  /// The outcomes that whole steps can reach.
  public var wholeSteps: Set<String> { outcomes.subtracting(overlapOnly) }

  init(
    _ name: String,
    _ about: String,
    outcomes: Set<String>,
    overlapOnly: Set<String> = [],
    preemptionOnly: Set<String> = [],
    weakOnly: Set<String> = [],
    exhaustive: Bool = true,
    timed: Bool = false,
    waits: Bool = false,
    atomic: Bool = false,
    spins: Bool = false,
    vast: Bool = false,
    draws: Bool = false,
    why: String,
    program: @escaping Program
  ) {
    precondition(overlapOnly.isStrictSubset(of: outcomes), name)
    precondition(preemptionOnly.isSubset(of: overlapOnly), name)
    precondition(weakOnly.isSubset(of: overlapOnly), name)
    self.name = name
    self.about = about
    self.outcomes = outcomes
    self.why = why
    self.overlapOnly = overlapOnly
    self.preemptionOnly = preemptionOnly
    self.weakOnly = weakOnly
    self.exhaustive = exhaustive
    self.timed = timed
    self.waits = waits
    isAtomic = atomic
    self.spins = spins
    isVast = vast
    self.draws = draws
    self.program = program
  }
}
