internal import CConcurrencyHooks
internal import CProcesses
internal import SimulatorCore
internal import SimulatorStrategyInterface

// What happens next: a step, a timer, an action that may happen at any time; or the end.

extension Scheduler {
  /// Runs the execution. Returns how it ended, or nil if a step that is parked on another thread is to go on.
  func loop<Level: StepLevel>(_ limits: Limits, _ level: Level.Type) -> ExecutionEnding? {
    while true {
      if unsafe Level.overlaps && tables.parked.nextDriver != nil { return nil }
      if state.isCut { return hasEscaped ? .escaped : .died }
      if state.followsCancellations, mayCancel, mayAct(level) { offerCancellations() }
      if !tables.yielders.isEmpty { offerYielders() }
      if Level.overlaps { mindThreads() }
      if limits.checksInvariants { _checkInvariants() }
      if queue.offers > 0 {
        if !isLong(limits) {
          decideAndRun(level)
        } else if let ending = goOnFairly(limits, level) {
          return ending
        }
      } else if Level.overlaps, widensPool() {
        continue
      } else if !timers.isEmpty {
        guard passTime(limits, level) else { return .timeLimit }
      } else if !tables.anytime.isEmpty {
        actAtRest()
      } else if tasks.alive > 0, takeForeign(waiting: patienceForOthers) {
        continue
      } else {
        return endingAtRest(level)
      }
    }
  }

  private func endingAtRest<Level: StepLevel>(_ level: Level.Type) -> ExecutionEnding {
    if tasks.count > 0, tasks[0].isAlive { return waitsForLostThread() ? .escaped : .deadlock }
    // A stuck step waits for something that another waiting step holds, or a task that is gone.
    let isStuck = Level.overlaps && tables.parked.steps.contains { !isIdleThread($0) }
    return isStuck ? .deadlock : .finished
  }

  /// Returns true if an action or a cancel may happen now. A parked step prevents both: it may hold a `Mutex` that they need.
  @inline(__always)
  private func mayAct<Level: StepLevel>(_ level: Level.Type) -> Bool {
    !Level.overlaps || tables.parked.steps.isEmpty
  }

  /// Returns the number of actions that may happen now.
  @inline(__always)
  private func actions<Level: StepLevel>(_ level: Level.Type) -> Int {
    mayAct(level) ? tables.anytime.count : 0
  }

  @inline(__always)
  private func decideAndRun<Level: StepLevel>(_ level: Level.Type) {
    let actions = actions(level)
    let options = queue.offers + actions
    if options == 1 { return take(queue.find(0), level) }
    switch chooser.ask(point(options: options, anytime: actions, atTimer: false)) {
    case .option(let taken):
      precondition(taken >= 0 && taken < options, "a strategy picked option \(taken) of \(options)")
      chooser.record(.order, options, taken)
      if taken >= queue.offers { return act(taken - queue.offers) }
      take(queue.find(taken), level)
    case .candidate(let id):
      guard let slot = queue.slot(of: id), queue.isOffered(slot) else {
        preconditionFailure("a strategy picked candidate \(id), which is not on offer")
      }
      chooser.record(.order, options, queue.rank(of: slot))
      take(slot, level)
    }
  }

  @inline(__always)
  private func take<Level: StepLevel>(_ slot: Int, _: Level.Type) {
    if isSleepEnd(slot) {
      endSleep(slot)
    } else if Level.overlaps {
      let arrival = queue.arrival(at: slot)
      if arrival.kind == .parked { return goOn(slot) }
      state.pointsOfStep = 0
      forgetLocksOfLastStep()
      takesThread(arrival)
      run(slot)
      domains.ended(arrival.domain, at: state.nextID)
      if !tables.locks.isEmpty { judgeHeldLocks() }
    } else if state.watchesMutexes {
      runWatched(slot)
    } else {
      run(slot)
    }
  }

  /// Runs a step and finds out if it used a `Mutex`. One that nobody waits for calls nothing in an optimized build, except to
  /// ask for the number of its thread, which each file of the program keeps. So these numbers are cleared before the step.
  @inline(never)
  private func runWatched(_ slot: Int) {
    ch_forget_thread_number()
    let task = queue.arrival(at: slot).task
    run(slot)
    // Which `Mutex` the task used is unknown.
    if ch_has_asked_thread_number() { unsafe ch_touches(hooks, 0, UInt64(bitPattern: Int64(task))) }
  }

  /// Forgets the locks that the last step on this thread took. A task that suspended while it held one still holds it,
  /// but this thread's stack does not.
  private func forgetLocksOfLastStep() {
    unsafe hooks.pointee.execution.of_step = ch_of_step()
    unsafe hooks.pointee.execution.gives_way = false
    state.passedOver = nil
  }

  /// Goes on after many steps at this instant: lets time move, takes the natural order, or ends an execution that seems
  /// endless.
  @inline(never)
  private func goOnFairly<Level: StepLevel>(_ limits: Limits, _ level: Level.Type) -> ExecutionEnding? {
    if limits.notesAdvice, hasReturned, onlyPolls {
      tables.afterBody.pollOn(queue.slots { _ in true }.map { queue.arrival(at: $0).task }, tasks)
      return .finished
    }
    if isEndless(limits) { return .livelock }
    if endsPolling(limits) { return passTime(limits, level) ? nil : .livelock }
    guard state.stepsAtThisInstant >= limits.unfairSteps else {
      decideAndRun(level)
      return nil
    }
    state.skippedUnfairSchedules = true
    take(queue.find(0), level)
    return nil
  }

  @inline(__always)
  private func point(options: Int, anytime: Int, atTimer: Bool) -> Strategies.ChoicePoint {
    Strategies.ChoicePoint(
      kind: .order, options: options, anytime: anytime, atTimer: atTimer,
      position: chooser.tape.count)
  }

  // MARK: time

  /// Lets an action happen or the earliest timer fire, when nothing can run. Returns false if that is beyond the time limit.
  private func passTime<Level: StepLevel>(_ limits: Limits, _ level: Level.Type) -> Bool {
    if let dead = timers.popDead() {
      fire(dead)
      return true
    }
    if actions(level) > 0, decideAnytimeBeforeTimer() { return true }
    if tables.afterBody.isAtReturn, timers.next > now { tables.afterBody.timeMoves(tasks) }
    guard timers.next <= limits.time else {
      moveTime(to: limits.time)
      // Where the execution ends depends on how long everything took.
      if chooser.followsDependencies { chooser.accessed(.everything, .exclusive) }
      return false
    }
    if chooser.followsDependencies { chooser.timePassed() }
    if !timers.open.isEmpty, fireOpen() { return true }
    fireEarliest()
    return true
  }

  /// Decides whether an anytime action happens instead of the next timer, and returns true if one did.
  private func decideAnytimeBeforeTimer() -> Bool {
    let taken = pickAction(options: 1 + tables.anytime.count, atTimer: true)
    guard taken > 0 else { return false }
    act(taken - 1)
    return true
  }

  // MARK: actions

  private func actAtRest() {
    if tables.parked.steps.isEmpty { monitors.paused(self) }
    guard tables.anytime.count > 1 else { return act(0) }
    act(pickAction(options: tables.anytime.count, atTimer: false))
  }

  /// Asks which of `options` to take when no step can run.
  private func pickAction(options: Int, atTimer: Bool) -> Int {
    guard
      case .option(let taken) = chooser.ask(
        point(options: options, anytime: tables.anytime.count, atTimer: atTimer)), taken >= 0,
      taken < options
    else { preconditionFailure("a strategy picked a candidate where no step can run") }
    chooser.record(.order, options, taken)
    return taken
  }

  private func act(_ index: Int) {
    if chooser.followsDependencies { chooser.acted(index) }
    let action = tables.anytime.take(index)
    recorder.acted(action.name, self)
    performOutsideSteps(action.perform)
  }

  /// Runs code of the program outside of steps, unless the execution stops there.
  func performOutsideSteps(_ perform: () -> Void) {
    unsafe flight.pointee.acts += 1
    if unsafe Int(flight.pointee.acts) == state.cut.act { return leaveOff() }
    unsafe flight.pointee.phase = UInt32(CP_ACTING)
    perform()
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
    monitors.afterStep(self)
  }

  // MARK: where the process would end

  /// Stops the execution if `place` is its stop point, where its process would end. Returns true if so.
  @inline(__always)
  func leavesOff(_ place: Death.Place) -> Bool {
    guard state.steps == state.cut.step, state.cut.place == place else { return false }
    leaveOff()
    return true
  }

  private func leaveOff() {
    state.isCut = true
    betweenSteps { recorder.saw(state.cut.ending.event, self) }
  }
}
