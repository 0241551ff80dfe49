// Timers whose end is a range: which of their moments are tried.

extension Strategies.ExhaustiveReduced {
  mutating func note(_ timers: Strategies.ChoicePoint.Timers) {
    if timers.isFirst, nodes[step].task != Races.time { setLate.insert(timers[0].number) }
  }

  /// For each option, as time moves, the timer that it lets fire: together with what is due, or not at the earliest
  /// end. That a timer fires alone before time moves is nothing new: where it fires with what was due, its steps may come
  /// behind all others. Unless there was no timer then: a sleep from zero on that ends at once does not suspend.
  mutating func timers(
    behind point: Strategies.ChoicePoint
  ) -> ContiguousArray<Strategies.OpenTimer?> {
    guard let timers = point.timers, nodes[step].task == Races.time else { return [] }
    // Nothing tells which steps are behind it.
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

  /// Finds out of which timers it makes a difference when they fire: those that a step has waited for which races with
  /// another, or which looks at the time.
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
