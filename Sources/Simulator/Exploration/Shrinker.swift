internal import SimulatorCore
internal import SimulatorKernel

/// Shrinks the schedule of a violation: to the fewest deviations from the natural order, then to the fewest steps up to the
/// violation.
///
/// There are four phases. Each stops when the allowed executions or the allowed time are spent:
///
/// 1. ``deltaDebug()`` leaves deviations out, first many at once, then one at a time: the algorithm *ddmin*
///    (Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input, IEEE TSE 2002, section 3). The
///    deviations are its circumstances, the natural order its test that passes.
/// 2. ``searchFewer(_:)`` tries all schedules with 0, 1, 2 … deviations for as long as that is fewer than the best has,
///    those near the best first. That finds the fewest or proves them. At first it tries only what costs little.
/// 3. ``exchange(_:)`` makes one other choice instead of two deviations. Then the second phase continues. If there are
///    too many schedules for it, ``searchSome(_:)`` tries the best's *anytime* actions at other moments, and a sample.
/// 4. ``move()`` moves the remaining deviations to neighboring choices and lower options.
struct Shrinker {
  var trials: Trials
  var best: Trials.Trial
  /// The number of deviations below which all schedules have been tried.
  var exhausted: Int { tried.count }
  /// The number of schedules with 0, 1, 2 … deviations.
  var tried: [Int] = []
  /// The schedules of the highest level that has been tried completely.
  var roots: [Root] = []

  /// The result of shrinking.
  struct Result {
    let trial: Trials.Trial
    let minimality: Invariant.Shrinking.Minimality
    let executions: Int
    /// True if there was no time to try more.
    let isOutOfTime: Bool
  }

  /// Makes a shrinker for `invariant`, violated by `found`, that runs at most `limit` executions on `runner`, and none after
  /// `time`; nil if the schedule does not show the violation again.
  init?(
    _ runner: Runner, _ found: Simulation.Execution, invariant: String, number: Int, seed: UInt64, limit: Int,
    time: Duration?
  ) {
    trials = Trials(runner, invariant: invariant, number: number, seed: seed, limit: limit, time: time)
    guard let first = trials.run(.positions(found.schedule)), first.isWanted else { return nil }
    best = first
  }

  /// Makes a shrinker for a schedule under which `invariant` holds: the task that ran last goes on for as long as it can; nil
  /// if the invariant does not hold then.
  init?(passing runner: Runner, invariant: String, seed: UInt64, limit: Int) {
    trials = Trials(
      runner, invariant: invariant, number: 0, seed: seed, limit: limit, wantsViolation: false)
    guard let first = trials.run(.oneAfterTheOther), first.isWanted else { return nil }
    best = first
  }

  /// Only leaves deviations out, and returns the schedule that is left.
  mutating func reduced() -> Schedule {
    deltaDebug()
    return best.execution.schedule
  }

  /// Shrinks.
  mutating func shrink() -> Result {
    deltaDebug()
    // The reserve is for moving the deviations that remain.
    let reserve = trials.left / 8
    searchFewer(trials.left - reserve)
    exchange(trials.left / 2)
    searchFewer(reserve)
    let before = best.size.deviations
    searchSome(reserve)
    if best.size.deviations < before { exchange(reserve) }
    if exhausted < best.size.deviations || best.size.deviations > 1 { move() }
    let deviations = best.size.deviations
    let isProved = exhausted >= deviations
    return Result(
      trial: best,
      minimality: isProved
        ? .proved(tried: tried.prefix(deviations).reduce(0, +))
        : .exhausted(below: exhausted, tried: tried.reduce(0, +)),
      executions: trials.executions, isOutOfTime: trials.isOutOfTime && !isProved)
  }

  /// Keeps `trial` if it is smaller than the best. Returns true if it was.
  @discardableResult
  mutating func keep(_ trial: Trials.Trial?) -> Bool {
    guard let trial, trial.isWanted, trial.size < best.size else { return false }
    best = trial
    return true
  }
}

// MARK: - Delta debugging

extension Shrinker {
  /// Runs *ddmin*: reduces to complements for as long as that helps, and increases the granularity if it does not. In the
  /// end no deviation can be left out alone: the schedule is 1-minimal.
  private mutating func deltaDebug() {
    var length = best.met.count
    while length > 0, trials.left > 0 {
      let before = best.met.count
      reduceToComplements(ofLength: length)
      if length == 1, best.met.count == before { return }
      length = min(max(1, length / 2), best.met.count)
    }
  }

  /// Leaves out each run of `length` deviations in turn: the rest is its complement.
  private mutating func reduceToComplements(ofLength length: Int) {
    var start = 0
    while start < best.met.count, trials.left > 0 {
      var rest = best.met
      rest.removeSubrange(start..<min(start + length, rest.count))
      if !tryOnly(rest) { start += length }
    }
  }

  /// Returns true if these deviations are enough, either at their old places or where they moved when others were left out.
  private mutating func tryOnly(_ deviations: [MetDeviation]) -> Bool {
    if keep(trials.replay(Schedule(deviations: deviations.map(\.deviation)))) { return true }
    guard !deviations.isEmpty else { return false }
    return keep(trials.run(.landmarks(deviations.map(\.landmark))))
  }
}

// MARK: - Moving

extension Shrinker {
  /// Moves the remaining deviations to neighboring choices and lower options, for as long as that makes the schedule smaller.
  mutating func move() {
    var index = 0
    while index < best.met.count, trials.left > 0 {
      if !moveDeviation(index) { index += 1 }
    }
  }

  /// Tries to move deviation `index` to a neighboring choice or a lower option. Returns true if that worked.
  private mutating func moveDeviation(_ index: Int) -> Bool {
    let deviations = best.execution.schedule.deviations
    let choices = best.execution.choices
    let old = deviations[index]
    for position in [0, -1, 1, -2, 2, -3, 3].map({ old.position + $0 })
    where choices.indices.contains(position) {
      let isFree = position == old.position || !deviations.contains { $0.position == position }
      let options = choices[position].optionsInOrder
      let highest = position == old.position ? min(old.taken, options) : options
      for taken in 1..<max(1, highest) where isFree {
        var moved = deviations
        moved[index] = .init(position: position, taken: taken, options: choices[position].options)
        moved.sort { $0.position < $1.position }
        if keep(trials.replay(Schedule(deviations: moved))) { return true }
      }
    }
    return false
  }
}
