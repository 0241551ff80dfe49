extension MetDeviation {
  /// What the deviation did, as a person says it: `at step 12 first runs before second`.
  func words(in trace: Trace) -> String {
    switch landmark {
    case .order(let arrived, before: let natural):
      "at step \(step + 1) \(trace.name(of: arrived)) runs before \(trace.name(of: natural))"
    case .action(_, before: let natural):
      "after step \(step) \(action(in: trace)) happens before \(trace.name(of: natural))"
    case .value: "at step \(step) \(value(in: trace))"
    }
  }

  private func action(in trace: Trace) -> String {
    for event in trace.events where event.step == step {
      if case .note(let text) = event.kind, text.hasPrefix("now: ") { return "\"\(text.dropFirst(5))\"" }
    }
    return "an anytime action"
  }

  private func value(in trace: Trace) -> String {
    let what =
      switch kind {
      case .delay: "takes"
      case .fault: "fails"
      case .moment: "happens after"
      case .order, .alternative: "is"
      }
    guard let decision = trace.decisions[deviation.position] else {
      return "option \(deviation.taken) of \(deviation.options) is taken"
    }
    return "\(subject(in: trace)) \(what) \(decision.taken), not \(decision.natural)"
  }

  /// The call that was decided about: the only one that began in the step.
  private func subject(in trace: Trace) -> String {
    var calls: [Call] = []
    for event in trace.events where event.step == step {
      if case .began(let call) = event.kind { calls.append(call) }
    }
    guard calls.count == 1 else { return "a \(kind)" }
    return kind == .alternative ? "an answer of \(calls[0].operation)" : calls[0].operation
  }
}

extension Trace {
  /// The task with this path, by its name or its path.
  fileprivate func name(of arrived: Landmark.Arrived) -> String {
    guard let index = paths.firstIndex(of: arrived.task) else { return "something" }
    return tasks[index].name ?? (index == 0 ? "the root" : "task \(path(ofTask: index))")
  }

  fileprivate func name(of natural: Landmark.Natural) -> String {
    switch natural {
    case .step(let arrived): name(of: arrived)
    case .time: "time passes"
    }
  }

  /// The hash of each task's path, as candidates have it.
  private var paths: [UInt64] {
    var paths: [UInt64] = []
    for task in tasks {
      let above = task.parent.map { paths[$0] } ?? Digest.seed
      paths.append(Digest.mix(above, UInt64(task.ordinal)))
    }
    return paths
  }
}
