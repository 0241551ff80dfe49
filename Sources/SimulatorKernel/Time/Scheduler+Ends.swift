internal import CConcurrencyHooks
internal import SimulatorCore

// Which ends of timers could come together, and which have: see ``TimerEnds``.

extension Scheduler {
  /// Adds the pairs of ends of this execution to those of the search. Returns what is new; nil if there is nothing.
  func addPairs(to pairs: inout EndPairs) -> EndPairs.News? {
    guard timers.ends.isInUse else { return nil }
    let news = pairs.add(timers.ends) { end in
      Digest.mix(tasks[end.task].path, UInt64(end.nth))
    } name: { end in
      name(of: end)
    }
    return news.isEmpty ? nil : news
  }

  /// Notes what waits for the end of the timer that the running task sets next.
  func name(nextEnd subject: TimerEnds.Subject) {
    if namesEnds || timers.ends.isInUse { timers.note(subject, task: currentTask) }
  }

  /// Notes the call that waits for the end of the timer that the running task sets next.
  func name(nextTimer call: String) { name(nextEnd: .call(call)) }

  /// Returns what a report calls an end.
  private func name(of end: TimerEnds.End) -> String {
    let task = recorder.name(of: end.task, self)
    let number = end.nth > 1 ? " (timer \(end.nth))" : ""
    return switch end.subject {
    case nil: "the \(tasks[end.task].isWork ? "delay" : "sleep") of \(task)\(number)"
    case .work: "the work of \(task)\(number)"
    case .wait: "the wait of \(task)\(number)"
    case .call(let operation): "\(operation) of \(task)\(number)"
    case .action(let name): name
    }
  }
}

/// Notes the call that waits for the end of the timer that the running task sets next.
func nameNextTimer(_ call: String) {
  guard let simulation = unsafe ch_get_current() else { return }
  unsafe Scheduler.with(simulation) { $0.name(nextTimer: call) }
}
