internal import CConcurrencyHooks
internal import CProcesses

// What happens next: a step, a timer, an action that may happen at any time; or the end.

extension Scheduler {
  /// Nil where a step that stands on another thread is to go on.
  func loop<Level: StepLevel>(_ limits: Limits, _ level: Level.Type) -> ExecutionEnding? {
    while true {
      if unsafe Level.overlaps && tables.standing.heir != nil { return nil }
      if state.isCut { return hasEscaped ? .escaped : .died }
      if state.followsCancellations, tables.cancellations.isDue { offerCancellations() }
      if !tables.yielders.isEmpty { offerYielders() }
      if queue.offers > 0 {
        if !isLong(limits) {
          decideAndRun(level)
        } else if let ending = goOnFairly(limits, level) {
          return ending
        }
      } else if !timers.isEmpty {
        guard passTime(limits) else { return .timeLimit }
      } else if !tables.anytime.isEmpty {
        actAtRest()
      } else if tasks.alive > 0, takeForeign(waiting: limits.patience) {
        continue
      } else {
        return tasks.count > 0 && tasks[0].isAlive ? .deadlock : .finished
      }
    }
  }

  @inline(__always)
  private func decideAndRun<Level: StepLevel>(_ level: Level.Type) {
    let options = queue.offers + tables.anytime.count
    if options == 1 { return take(queue.find(0), level) }
    switch chooser.ask(point(options: options, atTimer: false)) {
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
    if Level.overlaps, queue.arrival(at: slot).kind == .standing { return goOn(slot) }
    run(slot)
  }

  /// Much has happened at this instant: time may move, or the natural order is taken; or there is no end to it.
  @inline(never)
  private func goOnFairly<Level: StepLevel>(_ limits: Limits, _ level: Level.Type) -> ExecutionEnding? {
    if isEndless(limits) { return .livelock }
    if endsPolling(limits) { return passTime(limits) ? nil : .livelock }
    guard state.stepsAtThisInstant >= limits.unfairSteps else {
      decideAndRun(level)
      return nil
    }
    state.leftUnfairOut = true
    take(queue.find(0), level)
    return nil
  }

  @inline(__always)
  private func point(options: Int, atTimer: Bool) -> Strategies.ChoicePoint {
    Strategies.ChoicePoint(
      kind: .order, options: options, anytime: tables.anytime.count, atTimer: atTimer,
      position: chooser.tape.count)
  }

  // MARK: time

  /// Nothing can run: an action happens, or the earliest timer fires. False when that is beyond the time limit.
  private func passTime(_ limits: Limits) -> Bool {
    if let dead = timers.popDead() {
      fire(dead)
      return true
    }
    if decideAnytimeBeforeTimer() { return true }
    guard timers.next <= limits.time else {
      moveTime(to: limits.time)
      // How long anything takes has decided where the execution ends.
      if chooser.followsDependencies { chooser.accessed(.everything, .exclusive) }
      return false
    }
    if chooser.followsDependencies { chooser.timePassed() }
    if !timers.open.isEmpty, fireOpen() { return true }
    fireEarliest()
    return true
  }

  /// Whether an anytime action happened instead of the next timer.
  private func decideAnytimeBeforeTimer() -> Bool {
    guard !tables.anytime.isEmpty else { return false }
    let taken = pickAction(options: 1 + tables.anytime.count, atTimer: true)
    guard taken > 0 else { return false }
    act(taken - 1)
    return true
  }

  // MARK: actions

  private func actAtRest() {
    guard tables.anytime.count > 1 else { return act(0) }
    act(pickAction(options: tables.anytime.count, atTimer: false))
  }

  /// Asks which of `options` is taken where no step can run.
  private func pickAction(options: Int, atTimer: Bool) -> Int {
    guard case .option(let taken) = chooser.ask(point(options: options, atTimer: atTimer)), taken >= 0,
      taken < options
    else { preconditionFailure("a strategy picked a candidate where no step can run") }
    chooser.record(.order, options, taken)
    return taken
  }

  private func act(_ index: Int) {
    if chooser.followsDependencies { chooser.acted(index) }
    let action = tables.anytime.take(index)
    recorder.acted(action.name, self)
    unsafe flight.pointee.acts += 1
    if unsafe Int(flight.pointee.acts) == state.cut.act { return leaveOff() }
    unsafe flight.pointee.phase = UInt32(CP_ACTING)
    action.perform()
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
    monitors.afterStep(self)
  }

  // MARK: where the process would end

  /// Whether the execution ends here, because its process would.
  @inline(__always)
  func leavesOff(_ place: Death.Place) -> Bool {
    guard state.steps == state.cut.step, state.cut.place == place else { return false }
    leaveOff()
    return true
  }

  private func leaveOff() {
    state.isCut = true
    betweenSteps { recorder.saw(.note(state.cut.ending.text), self) }
  }
}
