internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The tasks that have yielded and must let others go first.
final class Yielders: ExecutionTable {
  private(set) var ids: [Strategies.Candidate.ID] = []
  /// The limit of age: each of these tasks would starve anything older than this that can run.
  private(set) var starved = Strategies.Candidate.ID.max

  var isEmpty: Bool { ids.isEmpty }
  var isFresh: Bool { ids.isEmpty }

  /// Adds a task that starves at least what is older than `starved`.
  func add(_ id: Strategies.Candidate.ID, _ starved: Strategies.Candidate.ID) {
    ids.append(id)
    self.starved = min(self.starved, starved)
  }

  /// Keeps the tasks for which `isHeldBack` returns what they starve; removes those for which it returns nil.
  /// O(yielders).
  func keep(where isHeldBack: (Strategies.Candidate.ID) -> Strategies.Candidate.ID?) {
    starved = .max
    ids.removeAll { id in
      guard let starved = isHeldBack(id) else { return true }
      self.starved = min(self.starved, starved)
      return false
    }
  }

  func removeAll() {
    guard !ids.isEmpty else { return }
    ids.removeAll(keepingCapacity: true)
    starved = .max
  }
}

/// Fairness: no task that can run is passed over forever while others yield, and time does not stand still for a
/// program that polls.
///
/// A task that yields goes behind those that it starves (Musuvathi and Qadeer: Fair Stateless Model Checking, PLDI
/// 2008): behind what has been able to run since before the 16th to 32nd of its own yields ago. A task of lower
/// priority that yields goes behind what waits with a higher one and has waited while two others yielded. On the real
/// pool it does so at once, unless the thread that has taken the other task is held up. In the natural order the oldest
/// step runs first, so that order is fair and never holds anything back.
///
/// A step that waits for a lock gets it after another step was faster ``Fairness/mostPasses`` times, by chance or
/// because that step keeps taking the lock in a loop.
///
/// Real steps take time, and simulated steps take none: a program that polls would wait forever for a timer. When
/// everything that can run has yielded ``Fairness/idleRounds`` times since anything else happened, the next timer
/// fires. It also fires when tasks have gone from actor to actor for at least ``Fairness/mostUnfairSteps`` steps, and
/// for so many that they could really have taken the time until then.
enum Fairness {
  /// The number of yields of a task that are remembered together.
  static let window: UInt8 = 16
  /// The number of times that a step may be woken for a lock and find it taken again.
  static let mostPasses = 16
  /// The number of times that everything that can run has yielded before time moves.
  static let idleRounds = 2_000
  /// The number of steps at one instant after which the natural order is taken. What still does not end is then a
  /// livelock, and not starvation by the strategy.
  static let mostUnfairSteps = 50_000
  /// The time, in nanoseconds, that a real step may easily take.
  static let stepTime: Int64 = 10_000
  /// The limit of polling at all instants together, in multiples of the steps that one instant may have.
  static let mostPolling = 10
}

// MARK: - Who goes first

extension Scheduler {
  /// Returns true if a task that yields, and has just arrived, must let others go first.
  @inline(__always)
  func mustGiveWay(_ arrival: Arrival) -> Bool {
    guard arrival.task >= 0 else { return false }
    tasks.yields(arrival.task, arrival.id)
    if let passedOver = state.passedOver {
      state.passedOver = nil
      tasks.starves(arrival.task, passedOver)
    }
    let before = state.lastYields
    state.lastYields = (before.1, arrival.id)
    guard isStarving(arrival) else { return false }
    state.skippedUnfairSchedules = true
    tables.yielders.add(arrival.id, tasks[arrival.task].starved)
    return true
  }

  /// Returns true if `yielder` would starve what has waited longest.
  @inline(__always)
  private func isStarving(_ yielder: Arrival) -> Bool {
    guard queue.offers > 0 else { return false }
    let oldest = queue.arrival(at: queue.find(0))
    if oldest.id < tasks[yielder.task].starved { return true }
    return unsafe state.prioritiesDiffer && oldest.id < state.lastYields.0 && oldest.id < yielder.id
      && priority(of: oldest) > ch_job_priority(tasks[yielder.task].address)
  }

  private func priority(of arrival: Arrival) -> UInt8 {
    guard arrival.kind == .parked else { return unsafe ch_job_priority(arrival.job) }
    guard arrival.task >= 0, tasks[arrival.task].isAlive else { return 0 }
    return unsafe ch_job_priority(tasks[arrival.task].address)
  }

  /// Offers the tasks again that no longer starve anything.
  @inline(never)
  func offerYielders() {
    if queue.offers > 0, queue.arrival(at: queue.find(0)).id < tables.yielders.starved { return }
    tables.yielders.keep { id in
      guard let slot = queue.slot(of: id) else { return nil }
      let arrival = queue.arrival(at: slot)
      if isStarving(arrival) { return tasks[arrival.task].starved }
      queue.setOffered(slot, true)
      if chooser.follows { chooser.offered(candidate(arrival)) }
      return nil
    }
  }
}

// MARK: - When much happens at one instant

extension Scheduler {
  /// Returns true if so much has happened at this instant that fairness has a say.
  @inline(__always)
  func isLong(_ limits: Limits) -> Bool {
    state.stepsAtThisInstant >= limits.unfairSteps || state.idleYields >= Fairness.idleRounds
  }

  /// Notes that something happened that a program may have polled for.
  @inline(__always)
  func somethingHappened() {
    state.idleYields = 0
    state.happened = state.stepsAtThisInstant
  }

  /// Returns true if the steps at this instant, or those spent on polling, seem to have no end.
  func isEndless(_ limits: Limits) -> Bool {
    state.stepsAtThisInstant >= min(limits.stepLimitPerInstant, limits.enoughSteps)
      || state.stepsPolled / Fairness.mostPolling >= limits.stepLimitPerInstant
  }

  /// True if everything that can run only polls, and no timer is left that could end it.
  var onlyPolls: Bool {
    timers.isEmpty && state.idleYields >= Fairness.idleRounds * max(1, queue.count)
  }

  /// True if the body has returned.
  var hasReturned: Bool { tasks.count > 0 && !tasks[0].isAlive }

  /// Returns true if everything that can run only polls while a timer is pending. The polling then counts as over,
  /// because time is to move.
  func endsPolling(_ limits: Limits) -> Bool {
    guard !timers.isEmpty,
      state.idleYields >= Fairness.idleRounds * max(1, queue.count) || takesUntilTheNextTimer(limits)
    else { return false }
    state.skippedUnfairSchedules = true
    state.stepsPolled += state.stepsAtThisInstant
    somethingHappened()
    return true
  }

  /// Returns true if the steps since anything else happened could really take until the next timer fires.
  private func takesUntilTheNextTimer(_ limits: Limits) -> Bool {
    let steps = state.stepsAtThisInstant - state.happened
    guard steps >= limits.unfairSteps else { return false }
    return steps >= limits.stepLimitPerInstant / 2 || (timers.next - now) / Fairness.stepTime <= steps
  }
}
