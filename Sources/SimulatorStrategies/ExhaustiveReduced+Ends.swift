public import SimulatorStrategyInterface

// The work that an execution leaves for later ones.

extension Strategies.ExhaustiveReduced {
  public mutating func ended(_ summary: Strategies.ExecutionSummary) {
    let mustFollowThreads = couldKeepAllThreads && !followsThreads
    if mustFollowThreads { followsThreads = true }
    if joining.takeMistake() || mustFollowThreads {
      (count, known) = (0, 0)
      return
    }
    count = min(count, step + 1)
    if races.isInconsistent { isCutShort = true }
    for index in 0..<count where !nodes[index].choices.isEmpty {
      races.choose(nodes[index].taken, at: index)
    }
    // Steps that could run first at points where this execution repeats others have already run first there.
    races.ended(from: max(0, known - 1), upTo: repeatsFrom ?? step + 1)
    if hasTimers { wantTimers() }
    for race in races.found { plan(races.sequence(race.earlier, race.later), at: race.earlier) }
    moveOn()
  }

  private mutating func plan(_ sequence: PlannedSequence, at index: Int) {
    for sleeper in nodes[index].asleep
    where sequence.mayBegin(with: sleeper.task, sleeper.footprint, of: races) {
      return
    }
    nodes[index].plan.insert(sequence, of: races)
  }

  /// Goes back to the last point from which something is left to run.
  private mutating func moveOn() {
    while count > 0 {
      if nodes[count - 1].moveOn(races.footprint(of: count - 1)) { return known = count }
      count -= 1
    }
    covered = isCutShort ? .deviations(atMost: 0) : .everyBehavior
  }
}
