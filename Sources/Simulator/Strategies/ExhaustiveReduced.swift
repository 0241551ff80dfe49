extension Strategies {
  /// At least one schedule of every behaviour, and as few others as possible: optimal dynamic partial order
  /// reduction with wakeup trees and sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial
  /// Order Reduction, POPL 2014, algorithm 2).
  ///
  /// Two schedules that differ only in the order of steps that have nothing in common lead to the same end, and
  /// one of them is enough. Steps have something in common when one belongs to, made or woke the other's task,
  /// or both accessed one of these, not merely in passing:
  ///
  /// - a domain: an actor or the main actor; and, where an isolated start or a hop out of an actor fixes it,
  ///   the order in which a mailbox was reached;
  /// - a fake, by its name;
  /// - the buffer of an `AsyncStream` or `AsyncThrowingStream`, whichever way it is reached; all streams that
  ///   pull their elements by `unfolding`, and all made before the execution, are taken for one;
  /// - the result of a task: one ends, another asks for it, and the asker can tell whether it had to wait;
  /// - whether a task is cancelled: one cancels it, or a group or task that it is part of, whether or not that
  ///   changes anything; another asks by its handle, or is a step of the task itself, all of which are taken to
  ///   ask;
  /// - the children of a task's groups: one ends, another is a step of the task; in a discarding group, and where the
  ///   task waits for all inside the library, only who throws first and whether all have ended;
  /// - where steps may overlap: a lock, a condition or a semaphore of libc, and whether a task is resumed before it is
  ///   suspended; with the build flag also a `Mutex`, or an atomic that one of them changes;
  /// - what the program has declared by ``Simulation/access(_:_:)``;
  /// - the pending deadlines, where `choose(in:)` answers at once; the source of randomness;
  /// - what invariants look at: with conditions between steps or observed values, all steps on actors; with
  ///   monitors, all steps that record an event.
  ///
  /// A step on the pool that does nothing but wait for the end of other tasks counts as part of its task's next one: nothing
  /// can tell when it ran.
  ///
  /// Where steps may overlap, each part of a step from one point at which it may be left to the next counts as a step.
  /// What else runs on its domain, and an action, can come before its first part and behind its last.
  ///
  /// *Anytime* actions have something in common with everything, and so has time, except that it is not tried at which
  /// moment of its range a timer fires where that makes no difference: where no step that has waited for it has anything
  /// in common with a step that has not, or looks at a clock.
  ///
  /// **Assumed:** steps share nothing else. State that no actor owns is not seen: memory behind a lock or in an
  /// atomic that is not among those above, unsafe or `nonisolated(unsafe)` variables, files, the priority that one task lends another by
  /// waiting for it or gives it, whether an object is still alive. A search over a program that shares such
  /// state may miss behaviours unless the program declares where it is reached; else take ``Strategies/ExhaustiveDFS``. Random
  /// schedules follow each search; where one shows what the search lacks, or a lock that calls libc was taken in whole
  /// steps, or a priority was raised, nothing is claimed.
  ///
  /// Linear in the number of candidates for each step, and quadratic in the number of steps for each execution;
  /// one of more than ``mostSteps`` steps is not searched beyond them, and then nothing is claimed but the
  /// natural order.
  public struct ExhaustiveReduced: Strategies.Covering, Strategies.DependencyObserver {
    private struct Offer: Sendable {
      let id: Strategies.Candidate.ID
      /// The step that made it possible.
      let maker: Int32
      let task: UInt64
    }

    /// The steps of an execution that are looked at.
    public static let mostSteps = 4_096

    /// Of which the first ``count`` are in use.
    var nodes: ContiguousArray<Node> = []
    var count = 0
    var races = Races()
    private var offers: ContiguousArray<Offer> = []
    /// The steps that put candidates off although they were possible.
    private var delays: ContiguousArray<(candidate: Strategies.Candidate.ID, step: Int)> = []
    /// The candidates that are put off because a step stands on their domain, and what made them possible.
    private var held: ContiguousArray<(candidate: Strategies.Candidate.ID, maker: Int32)> = []
    /// How many choices of the running step have been met.
    private var within = 0
    private var actions: ContiguousArray<(name: UInt64, maker: Int)> = []
    private var actionsMet: UInt64 = 0
    /// How many of the nodes the last execution left to be followed.
    var known = 0
    /// How many executions turned out to repeat others; none where what is assumed above holds exactly.
    public internal(set) var repeated = 0
    /// The step from which on the execution repeats others.
    var repeatsFrom: Int?
    var isCutShort = false
    /// Whether a timer was met whose end is a range.
    var hasTimers = false
    /// The timers of which it was decided before they were set that they are.
    var setLate: Set<UInt32> = []
    var joining = Joining()
    public internal(set) var covered: Strategies.Coverage?

    /// A search through all behaviours.
    public init() {}

    public var goal: Strategies.Coverage { .everyBehaviour }
    public var followsCandidates: Bool { true }
    public var followsDependencies: Bool { true }

    public mutating func began(_ number: Int, seed: UInt64) {
      if nodes.isEmpty { nodes.reserveCapacity(64) }
      races.began(keeping: max(0, known - 1))
      offers.removeAll(keepingCapacity: true)
      delays.removeAll(keepingCapacity: true)
      held.removeAll(keepingCapacity: true)
      actions.removeAll(keepingCapacity: true)
      actionsMet = 0
      repeatsFrom = nil
      joining.began()
      if !setLate.isEmpty { setLate.removeAll() }
      step = -1
    }

    /// The number of the running step.
    private(set) var step = -1
  }
}

// MARK: - What happens

extension Strategies.ExhaustiveReduced {
  public mutating func offered(_ candidate: Strategies.Candidate) {
    var index = offers.count
    while index > 0, offers[index - 1].id > candidate.id { index -= 1 }
    let offer = Offer(id: candidate.id, maker: takeMaker(candidate.id), task: Self.name(candidate))
    if index == offers.count { offers.append(offer) } else { offers.insert(offer, at: index) }
  }

  public mutating func withdrew(_ candidate: Strategies.Candidate) {
    guard let offer = take(candidate.id) else { return }
    // It races with the step that stands on its domain, which has come between.
    if candidate.isHeldByParked { return held.append((candidate.id, offer.maker)) }
    // What the same step made possible could not have run ahead of it.
    if offer.maker != Int32(step) { delays.append((candidate.id, step)) }
  }

  /// The step that makes a candidate possible.
  private mutating func takeMaker(_ id: Strategies.Candidate.ID) -> Int32 {
    guard !held.isEmpty, let index = held.firstIndex(where: { $0.candidate == id }) else {
      return Int32(step)
    }
    return held.remove(at: index).maker
  }

  private mutating func take(_ id: Strategies.Candidate.ID) -> Offer? {
    offers.firstIndex { $0.id == id }.map { offers.remove(at: $0) }
  }

  public mutating func took(_ candidate: Strategies.Candidate) {
    let offer = take(candidate.id)
    let task = offer?.task ?? Self.name(candidate)
    let maker = offer.map { Int($0.maker) } ?? step
    guard begin(task, on: candidate.place, maker: maker, isRest: candidate.kind == .standing) else { return }
    races.accessed(.task(task), .read)
    for delay in delays where delay.candidate == candidate.id { races.delayed(by: delay.step) }
  }

  public mutating func timePassed() { _ = begin(Races.time, on: 0, maker: step, isBarrier: true) }

  public mutating func acted(_ action: Int) {
    meet(action + 1)
    let action = actions.remove(at: action)
    _ = begin(action.name, on: 0, maker: action.maker, isBarrier: true)
  }

  public mutating func accessed(_ object: Strategies.SharedObject, _ access: Strategies.SharedObject.Access) {
    let task = step < 0 ? 0 : nodes[step].task
    races.accessed(object, joining.access(object, access, by: task))
  }

  /// A step begins, chosen or not; false where it is too late to be looked at.
  private mutating func begin(
    _ task: UInt64, on place: UInt64, maker: Int, isBarrier: Bool = false, isRest: Bool = false
  ) -> Bool {
    guard step + 1 < Self.mostSteps else {
      isCutShort = true
      return false
    }
    arrive()
    step += 1
    // Where the strategy was not asked, there is no other step.
    let repeats = nodes[step].run(task)
    if repeatsFrom == nil, repeats { repeatsFrom = step }
    within = 0
    races.began(task, on: place, maker: maker, isBarrier: isBarrier, isRest: isRest, at: step)
    return true
  }

  /// Makes sure of the node that follows the step that has just run.
  private mutating func arrive() {
    guard step + 1 >= count else { return }
    let node = count
    count += 1
    if node == nodes.count { nodes.append(Node()) } else { nodes[node].reset() }
    guard step >= 0 else { return }
    for index in 0..<nodes[step].asleep.count {
      let sleeper = nodes[step].asleep[index]
      guard sleeper.task != nodes[step].task, !races.conflicts(step, sleeper.footprint) else { continue }
      nodes[node].asleep.append(sleeper)
    }
    if let plan = nodes[step].planBehind() { nodes[node].plan = plan }
  }

  private mutating func meet(_ count: Int) {
    while actions.count < count {
      actionsMet += 1
      actions.append((Races.firstAction &+ actionsMet, step))
    }
  }

  private static func name(_ candidate: Strategies.Candidate) -> UInt64 {
    // Without a task of its own: what the runtime itself put into an actor's mailbox, one job an actor.
    candidate.task != 0 ? candidate.task : Digest.mix(Digest.seed, candidate.place)
  }
}

// MARK: - Choices

extension Strategies.ExhaustiveReduced {
  public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
    guard step + 1 < Self.mostSteps else { return .option(0) }
    // Each part of a step is a step of its own here, and which comes next is the question.
    if point.kind == .preemption { return .option(1) }
    guard point.kind == .order else { return .option(pickWithinStep(point)) }
    arrive()
    meet(point.anytime)
    let node = step + 1
    if node < known, let option = option(of: nodes[node].task, point) { return .option(option) }
    choose(node, point)
    return .option(option(of: nodes[node].task, point) ?? 0)
  }

  private mutating func pickWithinStep(_ point: Strategies.ChoicePoint) -> Int {
    defer { within += 1 }
    if let timers = point.timers { note(timers) }
    if within == nodes[step].choices.count {
      let prescribed = nodes[step].planned?.choices ?? []
      let wanted = within < prescribed.count ? prescribed[within] : 0
      let first = wanted < point.options ? wanted : 0
      nodes[step].choices.append(
        WithinStep(options: point.options, first: Int(first), timers: timers(behind: point)))
    }
    return min(Int(nodes[step].choices[within].taken), point.options - 1)
  }

  /// What is planned, else the oldest that has not been run from here.
  private mutating func choose(_ node: Int, _ point: Strategies.ChoicePoint) {
    while let planned = nodes[node].plan.takeFirst() {
      guard option(of: planned.task, point) != nil else { continue }
      nodes[node].task = planned.task
      nodes[node].planned = planned
      return
    }
    nodes[node].task = task(point) { !nodes[node].isAsleep($0) } ?? task(point) { _ in true } ?? Races.time
  }

  /// The first task that can be chosen, in the order of the options, and is `wanted`.
  private func task(_ point: Strategies.ChoicePoint, where wanted: (UInt64) -> Bool) -> UInt64? {
    if point.atTimer {
      if wanted(Races.time) { return Races.time }
    } else {
      for offer in offers where wanted(offer.task) { return offer.task }
    }
    for action in actions.prefix(point.anytime) where wanted(action.name) { return action.name }
    return nil
  }

  // Mutating, for a call of it in place does not copy the strategy.
  private mutating func option(of task: UInt64, _ point: Strategies.ChoicePoint) -> Int? {
    let others: Int
    if point.atTimer {
      if task == Races.time { return 0 }
      others = 1
    } else {
      for index in offers.indices where offers[index].task == task { return index }
      others = offers.count
    }
    for index in 0..<point.anytime where actions[index].name == task { return others + index }
    return nil
  }

}

extension SchedulingStrategy where Self == Strategies.ExhaustiveReduced {
  /// One schedule of each behavior: ``Strategies/ExhaustiveReduced``.
  public static var reduced: Strategies.ExhaustiveReduced { Strategies.ExhaustiveReduced() }
}
