internal import CConcurrencyHooks

/// The tasks that have yielded and must let others go first.
final class Yielders: ExecutionTable {
  private(set) var ids: [Strategies.Candidate.ID] = []
  /// While something older than this can run, each of them would starve it.
  private(set) var starved = Strategies.Candidate.ID.max

  var isEmpty: Bool { ids.isEmpty }
  var isFresh: Bool { ids.isEmpty }

  /// Adds one that starves what is older than `starved`, at least.
  func add(_ id: Strategies.Candidate.ID, _ starved: Strategies.Candidate.ID) {
    ids.append(id)
    self.starved = min(self.starved, starved)
  }

  /// Keeps those of which `isHeldBack` answers what they starve, and not nil. O(yielders).
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

/// No task that can run is passed over for ever while others yield, and time does not stand still for a program that polls.
///
/// A task that yields goes behind those that it starves (Musuvathi and Qadeer: Fair Stateless Model Checking, PLDI
/// 2008): behind what has been able to run since before the 16th to 32nd of its own yields ago. A task of lower priority
/// that yields goes behind what waits with a higher one and has waited while two others yielded: on the real pool it does so
/// at once, unless the thread that has taken the other is held up. By nature the oldest step runs first, so the natural
/// order is fair, and nothing is ever held back in it.
///
/// A step that waits for a lock gets it after ``Fairness/mostPasses`` times that another was faster, by chance or because it
/// goes round with it.
///
/// Real steps take time, ours take none: a program that polls would wait for ever for a timer. When all that can run has
/// yielded ``Fairness/idleRounds`` times since anything else happened, the next timer fires. It also fires when tasks have
/// gone from actor to actor for ``Fairness/mostUnfairSteps`` steps at least, and for so many that they could really have
/// taken the time until then.
enum Fairness {
  /// How many yields of a task are remembered together.
  static let window: UInt8 = 16
  /// How often a step may find a lock taken again for which it has been woken.
  static let mostPasses = 16
  /// How often all that can run has yielded before time moves.
  static let idleRounds = 2_000
  /// After how many steps at one instant the natural order is taken: what then still does not end is a livelock, and no
  /// starvation by the strategy.
  static let mostUnfairSteps = 50_000
  /// How many nanoseconds a real step may easily take.
  static let stepTime: Int64 = 10_000
  /// How many times the steps that one instant may have are spent on polling, at all instants together.
  static let mostPolling = 10
}

// MARK: - Who goes first

extension Scheduler {
  /// A task that yields has arrived; whether it must let others go first.
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
    state.leftUnfairOut = true
    tables.yielders.add(arrival.id, tasks[arrival.task].starved)
    return true
  }

  /// Whether `yielder` would starve what has waited longest.
  @inline(__always)
  private func isStarving(_ yielder: Arrival) -> Bool {
    guard queue.offers > 0 else { return false }
    let oldest = queue.arrival(at: queue.find(0))
    if oldest.id < tasks[yielder.task].starved { return true }
    return unsafe state.prioritiesDiffer && oldest.id < state.lastYields.0 && oldest.id < yielder.id
      && priority(of: oldest) > ch_job_priority(tasks[yielder.task].address)
  }

  private func priority(of arrival: Arrival) -> UInt8 {
    guard arrival.kind == .standing else { return unsafe ch_job_priority(arrival.job) }
    return unsafe arrival.task >= 0 ? ch_job_priority(tasks[arrival.task].address) : 0
  }

  /// Offers again those that starve nothing any more.
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
  /// Whether so much has happened at this instant that fairness has a say.
  @inline(__always)
  func isLong(_ limits: Limits) -> Bool {
    state.stepsAtThisInstant >= limits.unfairSteps || state.idleYields >= Fairness.idleRounds
  }

  /// Something happened that a program may have polled for.
  @inline(__always)
  func somethingHappened() {
    state.idleYields = 0
    state.happened = state.stepsAtThisInstant
  }

  /// Whether there is no end to what happens at this instant, nor to polling.
  func isEndless(_ limits: Limits) -> Bool {
    state.stepsAtThisInstant >= min(limits.stepsAtOneInstant, limits.enoughSteps)
      || state.stepsPolled / Fairness.mostPolling >= limits.stepsAtOneInstant
  }

  /// Whether all that can run only polls, and no time is to come that could end it.
  var onlyPolls: Bool {
    timers.isEmpty && state.idleYields >= Fairness.idleRounds * max(1, queue.count)
  }

  /// Whether the body has returned.
  var hasReturned: Bool { tasks.count > 0 && !tasks[0].isAlive }

  /// Whether all that can run only polls, with a timer to come; then the polling is over, since time is to move.
  func endsPolling(_ limits: Limits) -> Bool {
    guard !timers.isEmpty,
      state.idleYields >= Fairness.idleRounds * max(1, queue.count) || takesUntilTheNextTimer(limits)
    else { return false }
    state.leftUnfairOut = true
    state.stepsPolled += state.stepsAtThisInstant
    somethingHappened()
    return true
  }

  /// Whether as many steps as were made since anything else happened could really take until the next timer fires.
  private func takesUntilTheNextTimer(_ limits: Limits) -> Bool {
    let steps = state.stepsAtThisInstant - state.happened
    guard steps >= limits.unfairSteps else { return false }
    return steps >= limits.stepsAtOneInstant / 2 || (timers.next - now) / Fairness.stepTime <= steps
  }
}
