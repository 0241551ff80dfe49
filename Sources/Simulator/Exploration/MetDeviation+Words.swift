internal import SimulatorCore

extension MetDeviation {
  /// The place where it shows: the step that ran instead of another, or the step in which a value was decided.
  var mark: Invariant.Shrinking.Mark {
    switch landmark {
    case .order: .init(step: step + 1, isAction: false)
    case .action: .init(step: step, isAction: true)
    case .value: .init(step: step, isAction: kind == .cancel)
    case .timer(_, let change): .init(step: change == .putOff ? step : step + 1, isAction: false)
    }
  }

  /// Returns what the deviation did, in everyday words: `at step 12 first runs before second`.
  func words(in trace: Trace, among all: [MetDeviation]) -> String {
    switch landmark {
    case .order(let arrived, before: let natural):
      "at step \(step + 1) \(trace.name(of: arrived)) runs before \(trace.name(of: natural))"
    case .action(_, before: let natural):
      "after step \(step) \(action(in: trace, among: all)) happens before \(trace.name(of: natural))"
    case .value where kind == .preemption:
      "at step \(step) the step is left in its middle, and others run first"
    case .value where kind == .access:
      "at step \(step) the step is left before it accesses memory, and others run first"
    case .value where kind == .signal: "at step \(step) \(signal(in: trace))"
    case .value where kind == .tie:
      "after step \(step) \(sleeper(in: trace)) ends last of what is due at that instant, or is canceled before"
    case .value where kind == .release:
      "at step \(step) the result of \(owner(in: trace)) is not freed at once: its own thread still holds it"
    case .value where kind == .start:
      "at step \(step) \(owner(in: trace)), which was canceled, has begun before that"
    case .value where kind == .timer: "at step \(step) \(timerOfLoop(in: trace))"
    case .value where kind == .load: "at step \(step) \(load(in: trace))"
    case .value where kind == .draw: "at step \(step) the program gets other random numbers"
    case .value where kind == .cancel: "after step \(step) the task is cancelled"
    case .value where kind == .action: "the user does something: \(chosen(in: trace))"
    case .value where kind == .setting: "another setting: \(chosen(in: trace))"
    case .value: "at step \(step) \(value(in: trace))"
    case .timer(_, let change): timer(change, in: trace)
    }
  }

  private func action(in trace: Trace, among all: [MetDeviation]) -> String {
    let actions = trace.events.filter { $0.step == step }.compactMap(\.anytimeAction)
    let earlier = all.prefix { $0 != self }.filter { $0.mark == mark }.count
    return actions.indices.contains(earlier) ? "\"\(actions[earlier])\"" : "an anytime action"
  }

  private func signal(in trace: Trace) -> String {
    guard let decision = trace.decisions[deviation.position] else { return "a signal wakes another waiter" }
    return "the signal wakes \(decision.taken) instead of \(decision.natural)"
  }

  private func sleeper(in trace: Trace) -> String {
    trace.decisions[deviation.position].map { "the sleep of \($0.taken)" } ?? "a sleep"
  }

  private func timerOfLoop(in trace: Trace) -> String {
    guard let decision = trace.decisions[deviation.position] else { return "a timer fires before another" }
    return
      "of the run loop's timers that are due together, \(decision.taken) fires before \(decision.natural)"
  }

  private func load(in trace: Trace) -> String {
    let decision = trace.decisions[deviation.position]
    let store =
      deviation.taken == 1
      ? "the store before the newest one" : "a store \(deviation.taken) before the newest one"
    return "the load\(decision?.taken ?? "") answers \(store)\(decision?.natural ?? "")"
  }

  private func owner(in trace: Trace) -> String { trace.decisions[deviation.position]?.taken ?? "a task" }

  /// Returns the choice that was made in a generated story.
  private func chosen(in trace: Trace) -> String {
    trace.decisions[deviation.position]?.taken ?? "option \(deviation.taken) of \(deviation.options)"
  }

  private func value(in trace: Trace) -> String {
    guard let decision = trace.decisions[deviation.position] else {
      return "option \(deviation.taken) of \(deviation.options) is taken"
    }
    return "\(subject(in: trace)): \(decision.taken) instead of \(decision.natural)"
  }

  /// Describes a timer: how long it took in the end if it was put off, or else that it fired before its end.
  private func timer(_ change: Landmark.TimerChange, in trace: Trace) -> String {
    guard let decision = trace.decisions[deviation.position], let timer = decision.timer else {
      return "after step \(step) a timer fires at another time"
    }
    let words = "\(timer.subject): \(decision.taken) instead of \(decision.natural)"
    return change == .putOff ? "at step \(timer.step) \(words)" : "after step \(step) \(words)"
  }

  /// Returns the call that was decided about if only one call began in the step, or else the kind of the decision.
  private func subject(in trace: Trace) -> String {
    var calls: [Trace.Call] = []
    for event in trace.events where event.step == step {
      if case .began(let call) = event.kind { calls.append(call) }
    }
    return calls.count == 1 ? calls[0].operation : "the \(kind)"
  }
}

extension Trace {
  /// Returns the name of the task with this path, or the path if it has no name.
  fileprivate func name(of arrived: Landmark.Arrived) -> String {
    paths.firstIndex(of: arrived.task).map { name(ofTask: $0) } ?? "something"
  }

  fileprivate func name(of natural: Landmark.Natural) -> String {
    switch natural {
    case .step(let arrived): name(of: arrived)
    case .time: "time passes"
    }
  }

  /// The hash of each task's path, as in candidates.
  private var paths: [UInt64] {
    var paths: [UInt64] = []
    for task in tasks {
      paths.append(Digest.path(parent: task.parent.map { paths[$0] }, ordinal: task.ordinal))
    }
    return paths
  }
}
