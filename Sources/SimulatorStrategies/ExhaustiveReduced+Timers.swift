internal import SimulatorStrategyInterface

// Timers whose end is a range, and the choice of the moments to try.

extension Strategies.ExhaustiveReduced {
  mutating func note(_ timers: Strategies.ChoicePoint.Timers) {
    if timers.isFirst, nodes[step].task != Races.time { setLate.insert(timers[0].number) }
  }

  /// Returns, for each option as time moves, the timer that it fires: together with what is due, or not at the earliest
  /// end. A timer that fires alone before time moves adds nothing new: when it fires with what was due, its steps may
  /// come after all others. The exception is a timer that did not exist then, because a sleep from zero on that ends
  /// immediately does not suspend.
  mutating func timers(
    behind point: Strategies.ChoicePoint
  ) -> ContiguousArray<Strategies.OpenTimer?> {
    guard let timers = point.timers, nodes[step].task == Races.time else { return [] }
    // Nothing shows which steps come after a timer of an unknown task.
    for index in 0..<timers.count where timers[index].task == 0 { return [] }
    guard point.options <= WithinStep.mostOptions else {
      isCutShort = true
      return [nil]
    }
    hasTimers = true
    var found = ContiguousArray<Strategies.OpenTimer?>(repeating: nil, count: point.options)
    for option in 1..<point.options {
      guard let (timer, isTogether) = timers.choice(of: option),
        timers.isFirst || isTogether || timer.earliest == timers.now && setLate.contains(timer.number)
      else { continue }
      found[option] = timer
    }
    return found
  }

  /// Finds the timers for which it makes a difference when they fire. A step that has waited for such a timer races
  /// with another step, or looks at the time.
  mutating func wantTimers() {
    var timers: ContiguousArray<Races.Timer> = []
    for node in 0..<count {
      for choice in nodes[node].choices where !choice.timers.isEmpty {
        for case let timer? in choice.timers { timers.append(Races.Timer(node: node, timer)) }
      }
    }
    guard !timers.isEmpty else { return }
    for timer in races.racing(timers) {
      for index in nodes[timer.node].choices.indices { nodes[timer.node].choices[index].want(timer.task) }
    }
  }
}
