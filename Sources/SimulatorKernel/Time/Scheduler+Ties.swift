internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

// Ties: several timers that are due at one instant, and sleeps among them.
//
// In virtual time, timers are due at the very same instant more often than in reality, where there is always an order among
// them, and time for a few steps in between. A sleep that has ended can no longer be canceled. So where something else is due at
// the same instant, a sleep may end at once, which is natural, or *lose the tie*: then its end is a candidate beside the steps that
// the others make possible, and one of these may cancel it before. Nothing else that is due needs this. A wait with a time limit
// is over only when its step goes on, and delayed work, or the source of a timer, is handed over by a step of its own.
//
// The reduced search lets each sleep lose (`ExhaustiveReduced.pick`). Its end is then a step of the task that sleeps, and races
// with a cancel of that task like any other.

extension Scheduler {
  /// Returns the last instant of those that are a tie with `first`, the next one.
  ///
  /// A limit that was a `Date` is off by some nanoseconds, since a `Date` is a `Double` of seconds. So it is a tie with what is
  /// due so shortly before or after it: all of this ends at the last of these instants, as sleeps and waits may end late.
  func endOfTie(from first: Int64) -> Int64 {
    let isDate = { (wait: Locks.Wait) in
      wait.isUntilDate && wait.limit >= first && wait.limit - first <= Locks.precisionOfDates
    }
    guard tables.locks.waits.contains(where: isDate) else { return first }
    let end = first.addingClamped(Locks.precisionOfDates)
    return timers.deadlines(after: first, before: end.addingClamped(1), limit: .max).last ?? first
  }

  /// Returns the timers of delayed blocks and timer sources that come in any order among those that are due. Dispatch hands over
  /// one after the other what its timers make due, so the others keep their order.
  func freeTimers(dueAt instant: Int64) -> Set<UInt32> {
    guard tables.dispatch.hasDelayed || !tables.sources.isFresh else { return [] }
    let due = timers.due(at: instant).compactMap { timer in stamp(of: timer).map { (timer.order, $0) } }
    guard due.count > 1 else { return [] }
    let free = due.filter { one in !due.contains { $0.0 != one.0 && $0.1.isOrdered(with: one.1) } }
    return Set(free.map(\.0))
  }

  private func stamp(of timer: Timer) -> TimerStamp? {
    if timer.task >= 0 { return tables.dispatch.stamp(ofDelayed: timer.task) }
    return unsafe timer.job == nil ? tables.sources.source(of: timer.order)?.stamp : nil
  }

  /// Decides if a sleep that is due ends only after the others that are due have fired.
  func losesTie(_ timer: Timer) -> Bool {
    guard let sleeper = sleeper(of: timer) else { return false }
    guard chooser.choose(.tie, options: 2) == 1 else { return false }
    if recorder.keepsEvents {
      let name = recorder.path(of: sleeper, self)
      recorder.decided(at: chooser.tape.count - 1, .init(taken: name, natural: name))
    }
    return true
  }

  /// Returns the task that a timer wakes if it is a sleep that a cancel could still end.
  private func sleeper(of timer: Timer) -> Int32? {
    guard timer.task < 0, timer.sleeper >= 0, let job = unsafe timer.job,
      unsafe !hooks.pointee.execution.prefers, unsafe ch_job_kind(job) == CH_KIND_TASK,
      tasks.lastSleep(timer.sleeper)?.timer == timer.order
    else { return nil }
    return timer.sleeper
  }

  /// Makes the end of a sleep that has lost the tie a candidate.
  func offerEnd(of sleep: Timer) {
    guard let job = unsafe sleep.job else { return }
    let id = state.nextID
    state.nextID += 1
    if recorder.keepsEvents { recorder.arrived(id, inStep: 0) }
    state.tied += 1
    offer(
      unsafe Arrival(
        job: job, identity: 0, implementation: 0, domain: Domains.pool, task: sleep.sleeper, id: id,
        kind: .sleepEnd, isEnqueued: false, reopensDomain: false, isYield: false, priority: 0))
  }

  /// Returns true if what is in `slot` is the end of a sleep, which is no step.
  @inline(__always)
  func isSleepEnd(_ slot: Int) -> Bool { state.tied > 0 && queue.arrival(at: slot).kind == .sleepEnd }

  /// Ends the sleep in `slot`.
  func endSleep(_ slot: Int) {
    let arrival = queue.arrival(at: slot)
    queue.remove(slot)
    state.tied -= 1
    if chooser.follows { chooser.took(candidate(arrival)) }
    chooser.endSilence()
    somethingHappened()
    state.isFiring = true
    unsafe ch_run_job(arrival.job, ch_executor())
    state.isFiring = false
  }

  /// Withdraws the end of the sleep of `task`, which something else has woken. The runtime's job still has to run.
  func withdrawSleepEnd(of task: Int32) {
    guard state.tied > 0, let slot = queue.slots(where: { $0.kind == .sleepEnd && $0.task == task }).first
    else { return }
    let arrival = queue.arrival(at: slot)
    if chooser.follows { chooser.withdrew(candidate(arrival)) }
    queue.remove(slot)
    state.tied -= 1
    // Nothing waits for it, so it is no time at which something could happen.
    timers.kill(unsafe timers.set(arrival.job, deadline: now, task: -1))
  }
}

extension Scheduler {
  /// Decides which of so many timers of a run loop fires next, when `fired` of them have.
  func picksTimer(after fired: Int, among options: Int) -> Int {
    let taken = chooser.choose(.timer, options: options)
    if taken > 0, recorder.keepsEvents {
      let (name, natural) = ("timer \(fired + taken + 1)", "timer \(fired + 1)")
      recorder.decided(at: chooser.tape.count - 1, .init(taken: name, natural: natural))
    }
    return taken
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_picks_timer(_ scheduler: UnsafeMutableRawPointer, _ fired: UInt32, _ options: UInt32) -> UInt32
{
  unsafe Scheduler.with(scheduler) { UInt32($0.picksTimer(after: Int(fired), among: Int(options))) }
}
