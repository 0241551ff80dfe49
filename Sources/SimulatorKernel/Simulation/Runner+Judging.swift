internal import SimulatorCore

// The verdict on an execution.

extension Runner {
  /// Judges how the last execution ended. Returns findings that are not violations but worth knowing.
  func judge(_ ending: Simulation.Execution.Ending, _ death: Death?) -> [String] {
    let lost = death.flatMap {
      $0.isTearDown ? ["what was cancelled at the end of its execution: \($0.message)"] : nil
    }
    return judge(ending, dying: death) + (lost ?? []) + polling + watching
  }

  private var watching: [String] {
    guard scheduler.state.keptWhole else { return [] }
    return [
      "steps are run as wholes although they may overlap: values are observed, and it must be known which step changes them"
    ]
  }

  private var polling: [String] {
    guard scheduler.state.stepsPolled > 0 else { return [] }
    return [
      "polls: tasks yield, or go from actor to actor, again and again, until a timer brings what they wait for"
    ]
  }

  private func judge(_ ending: Simulation.Execution.Ending, dying death: Death?) -> [String] {
    let monitors = scheduler.monitors
    if let moment = scheduler.tables.escapes.moment {
      monitors.escaped(scheduler.describeEscape(), at: moment)
      return []
    }
    if let error = thrown.error {
      monitors.violated(Invariant.BuiltIn.throws, "the body threw \(error)", scheduler)
    }
    switch ending {
    case .finished, .timeLimit: return judgeLiving(ending)
    case .died:
      if let death {
        guard death.cause != .late else { return [] }
        for failure in death.failures {
          monitors.violated(
            failure.invariant, failure.message, scheduler, diagnosis: failure.diagnosis, mark: failure.mark)
        }
        monitors.violated(
          death.invariant, death.message(withPlace: keepsEvents), scheduler, diagnosis: death.diagnosis)
      }
    case .escaped, .raced: break
    case .deadlock:
      let starvation = scheduler.starvation
      monitors.violated(
        Invariant.BuiltIn.deadlock,
        "nothing can run: " + (starvation.map { describe($0) + ": " } ?? "") + describeLiving(), scheduler,
        diagnosis: starvation == nil ? nil : .starvation)
    case .livelock:
      monitors.violated(
        Invariant.BuiltIn.livelock,
        "no end within \(scheduler.state.steps) steps" + describeYields() + describeRepetition(),
        scheduler)
    }
    return []
  }

  private func judgeLiving(_ ending: Simulation.Execution.Ending) -> [String] {
    guard scheduler.tasks.alive > 0 else { return [] }
    let when = ending == .timeLimit ? "at the time limit of \(options.timeLimit.shortText)" : "at the end"
    let message = "alive \(when): " + describeLiving()
    if options.forbidsOutlivingTasks {
      scheduler.monitors.violated(Invariant.BuiltIn.nothingOutlives, message, scheduler)
      return []
    }
    if isUnfinished(ending), scheduler.tables.anytime.isEmpty {
      scheduler.monitors.violated(Invariant.BuiltIn.unfinished, describeUnfinished(), scheduler)
    }
    return [message] + judgeLeaks(ending)
  }

  private func describe(_ starvation: Starvation) -> String {
    let (blocked, keptOut) = (starvation.blocked, starvation.keptOut)
    let places = starvation.places.map { $0.count == 1 ? $0.place : "\($0.place) (\($0.count) times)" }
    let what = starvation.hasGrown ? "tasks and blocks" : "tasks"
    let who =
      blocked == 1
      ? "1 blocked task keeps the only thread" : "\(blocked) blocked \(what) keep all \(blocked) threads"
    let pool = starvation.hasGrown ? "Dispatch" : "the global executor"
    return "\(who) that \(pool) has for their priority"
      + (places.isEmpty ? "" : ", at " + places.joined(separator: ", "))
      + (keptOut == 1 ? ", so another one can't go on" : ", so \(keptOut) others can't go on")
      + (starvation.hasGrown
        ? "" : "; it hangs on machines with \(blocked) core\(blocked == 1 ? "" : "s") or fewer")
  }

  /// Describes how often steps yield, if hardly any of them ends.
  private func describeYields() -> String {
    let (yields, steps) = (scheduler.state.idleYields, scheduler.state.steps)
    return yields > 10 * steps ? ", which yield \(yields) times and wait for what never changes" : ""
  }

  /// Describes which steps repeat, if events are kept.
  private func describeRepetition() -> String {
    guard keepsEvents, let repetition = scheduler.recorder.trace(scheduler).repetition else { return "" }
    return repetition.length == 1
      ? "; the last step repeats" : "; the same \(repetition.length) steps repeat"
  }

  private func describeLiving() -> String { describe(scheduler.tasks.living) }

  func describe(_ living: [Int32]) -> String {
    let shown = living.prefix(8).map { scheduler.describeWait(of: $0, withPlaces: keepsEvents) }
    let more = living.count > 8 ? ["and \(living.count - 8) more"] : []
    return (shown + more).joined(separator: "; ")
  }
}
