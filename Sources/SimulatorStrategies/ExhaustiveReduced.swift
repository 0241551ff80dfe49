public import SimulatorStrategyInterface

extension Strategies {
  /// Tries at least one schedule of every behavior, and as few others as possible. This is optimal dynamic partial
  /// order reduction with wakeup trees and sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order
  /// Reduction, POPL 2014, algorithm 2).
  ///
  /// Two schedules that differ only in the order of steps that have nothing in common lead to the same end, so one of
  /// them is enough. Two steps have something in common if one belongs to, made, or woke the other's task, or if both
  /// accessed one of these, and not merely in passing:
  ///
  /// - a domain: an actor or the main actor; also the order in which a mailbox was reached, if an isolated start or a
  ///   hop out of an actor fixes it;
  /// - a fake, by its name;
  /// - the buffer of an `AsyncStream` or `AsyncThrowingStream`, however it is reached; all streams that pull their
  ///   elements by `unfolding`, and all streams made before the execution, count as one;
  /// - the result of a task: one step ends the task, another asks for its result, and the asker can tell whether it had
  ///   to wait;
  /// - the cancellation of a task: one step cancels the task, or a group or task that it is part of, even if that
  ///   changes nothing; another step asks by the task's handle, or is a step of the task itself, all of which are
  ///   assumed to ask;
  /// - the children of a task's groups: one step ends a child, another is a step of the task; in a discarding group,
  ///   and if the task waits for all children inside the library, only which child throws first and whether all have
  ///   ended;
  /// - with preemptible steps: a lock, a condition, or a semaphore of libc, and the order of a task's resumption and
  ///   its suspension; with the build flag also a `Mutex`, or an atomic that one of the steps changes;
  /// - the threads of the global executor: one step begins, another blocks its thread or wakes one that has. This counts from
  ///   the first execution on that blocks so many steps that they could keep all threads;
  /// - anything that the program has declared by `Simulation.declareAccess(to:_:)`;
  /// - the pending deadlines, if `choose(in:)` returns immediately; the source of randomness;
  /// - the state that invariants look at: with conditions between steps or observed values, all steps on actors; with
  ///   monitors, all steps that record an event.
  ///
  /// A step on the pool that only waits for the end of other tasks counts as part of its task's next step, because
  /// nothing can show when it ran.
  ///
  /// With preemptible steps, each part of a step between two preemption points counts as a step. Other steps on its
  /// domain, and actions, can come before its first part and after its last.
  ///
  /// *Anytime* actions have something in common with everything, and so has time. One case is left out: the moments at
  /// which a timer may fire within its range are not tried if they make no difference. They make none if no step that
  /// has waited for the timer looks at a clock or has anything in common with a step that has not waited for it.
  ///
  /// **Assumed:** steps share nothing else. The search does not see state that no actor owns: memory behind a lock or
  /// in an atomic that is not in the list above, unsafe or `nonisolated(unsafe)` variables, files, the priority that
  /// one task gives another or lends it by waiting for it, and the lifetime of an object. A search over a program that
  /// shares such state may miss behaviors unless the program declares where it reaches that state; otherwise use
  /// `Strategies.ExhaustiveDFS`. Random schedules follow each search. Nothing is claimed if one of them shows what
  /// the search lacks, if a lock that calls libc was taken in atomic steps, or if a priority was raised.
  ///
  /// Linear in the number of candidates for each step, and quadratic in the number of steps for each execution. An
  /// execution of more than 4,096 steps is not searched beyond them; then nothing is claimed but the natural
  /// order.
  public struct ExhaustiveReduced: Strategies.Covering, Strategies.DependencyObserver {
    private struct Offer: Sendable {
      let id: Strategies.Candidate.ID
      /// The step that made the candidate possible.
      let maker: Int32
      let task: UInt64
    }

    /// The maximum number of steps of an execution that are considered.
    static let mostSteps = 4_096

    /// The nodes, of which the first ``count`` are in use.
    var nodes: ContiguousArray<Node> = []
    var count = 0
    var races = Races()
    private var offers: ContiguousArray<Offer> = []
    /// The steps that delayed candidates that were already possible.
    private var delays: ContiguousArray<(candidate: Strategies.Candidate.ID, step: Int)> = []
    /// The candidates withdrawn because a parked step is on their domain, and the steps that made them possible.
    private var held: ContiguousArray<(candidate: Strategies.Candidate.ID, maker: Int32)> = []
    /// The number of choices of the running step met so far.
    private var within = 0
    private var actions: ContiguousArray<(name: UInt64, maker: Int)> = []
    private var actionsMet: UInt64 = 0
    /// The number of nodes that the last execution left for the next one to follow.
    var known = 0
    /// The step from which the execution repeats others.
    var repeatsFrom: Int?
    var isCutShort = false
    /// True if a timer was met whose end is a range.
    var hasTimers = false
    /// The timers for which a choice decided, before they were set, whether they are set at all.
    var setLate: Set<UInt32> = []
    var joining = Joining()
    /// True if it matters which steps keep a thread of the global executor. It does not before an execution has blocked
    /// so many tasks that they could keep all threads; then the search starts over.
    var followsThreads = false
    var couldKeepAllThreads = false
    /// The last step that blocked its thread, or -1.
    private var lastBlock = -1
    public package(set) var covered: Strategies.Coverage?

    /// Creates a search through all behaviors.
    public init() {}

    public var goal: Strategies.Coverage { .everyBehavior }
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
      lastBlock = -1
      if !setLate.isEmpty { setLate.removeAll() }
      step = -1
    }

    /// The number of the running step.
    private(set) var step = -1
  }
}

// MARK: - Events

extension Strategies.ExhaustiveReduced {
  public mutating func offered(_ candidate: Strategies.Candidate) {
    var index = offers.count
    while index > 0, offers[index - 1].id > candidate.id { index -= 1 }
    let offer = Offer(id: candidate.id, maker: takeMaker(candidate.id), task: Self.name(candidate))
    if index == offers.count { offers.append(offer) } else { offers.insert(offer, at: index) }
  }

  public mutating func withdrew(_ candidate: Strategies.Candidate) {
    guard let offer = take(candidate.id) else { return }
    // The candidate races with the parked step on its domain, which has come in between.
    if candidate.isHeldByParked { return held.append((candidate.id, offer.maker)) }
    // A candidate that is kept out could have run before the thread was blocked, even if it became possible after that.
    if candidate.isKeptOut, lastBlock >= 0 { return delays.append((candidate.id, lastBlock)) }
    // A candidate that the same step made possible could not have run before it.
    if offer.maker != Int32(step) { delays.append((candidate.id, step)) }
  }

  /// Returns the step that makes a candidate possible.
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
    guard begin(task, on: candidate.place, maker: maker, isRest: candidate.kind == .parked) else { return }
    races.accessed(.task(task), .read)
    for delay in delays where delay.candidate == candidate.id { races.delayed(by: delay.step) }
  }

  public mutating func timePassed() { _ = begin(Races.time, on: 0, maker: step, isBarrier: true) }

  public mutating func acted(_ action: Int) {
    meet(action + 1)
    let action = actions.remove(at: action)
    _ = begin(action.name, on: 0, maker: action.maker, isBarrier: true)
  }

  public mutating func accessed(_ object: Strategies.SharedObject, _ access: Strategies.Access) {
    if object == .threads || object == .allThreads {
      if object == .allThreads { couldKeepAllThreads = true }
      if access == .added { lastBlock = step }
      guard followsThreads, object == .threads else { return }
    }
    let task = step < 0 ? 0 : nodes[step].task
    races.accessed(object, joining.access(object, access, by: task))
  }

  /// Begins a step, chosen or not. Returns false if it comes too late to be considered.
  private mutating func begin(
    _ task: UInt64, on place: UInt64, maker: Int, isBarrier: Bool = false, isRest: Bool = false
  ) -> Bool {
    guard step + 1 < Self.mostSteps else {
      isCutShort = true
      return false
    }
    arrive()
    step += 1
    // If the strategy was not asked, there is no other step.
    let repeats = nodes[step].run(task)
    if repeatsFrom == nil, repeats { repeatsFrom = step }
    within = 0
    races.began(task, on: place, maker: maker, isBarrier: isBarrier, isRest: isRest, at: step)
    return true
  }

  /// Makes sure that there is a node after the step that has just run.
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
    // A candidate without a task of its own is a job that the runtime itself put into an actor's mailbox, one for each
    // actor.
    candidate.task != 0 ? candidate.task : Digest.mix(Digest.seed, candidate.place)
  }
}

// MARK: - Choices

extension Strategies.ExhaustiveReduced {
  public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
    guard step + 1 < Self.mostSteps else { return .option(0) }
    // Each part of a step is a step of its own here, and so are the end of a sleep that is due together with something else
    // and the release of a task's result. The order choice decides which comes next.
    if point.kind == .preemption || point.kind == .tie || point.kind == .release { return .option(1) }
    if point.kind == .draw { return .option(0) }
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

  /// Chooses the planned task, or else the oldest that has not run from here.
  private mutating func choose(_ node: Int, _ point: Strategies.ChoicePoint) {
    while let planned = nodes[node].plan.takeFirst() {
      guard option(of: planned.task, point) != nil else { continue }
      nodes[node].task = planned.task
      nodes[node].planned = planned
      return
    }
    nodes[node].task = task(point) { !nodes[node].isAsleep($0) } ?? task(point) { _ in true } ?? Races.time
  }

  /// Returns the first `wanted` task that can be chosen, in the order of the options.
  private func task(_ point: Strategies.ChoicePoint, where wanted: (UInt64) -> Bool) -> UInt64? {
    if point.atTimer {
      if wanted(Races.time) { return Races.time }
    } else {
      for offer in offers where wanted(offer.task) { return offer.task }
    }
    for action in actions.prefix(point.anytime) where wanted(action.name) { return action.name }
    return nil
  }

  // Mutating, because then a call in place does not copy the strategy.
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
