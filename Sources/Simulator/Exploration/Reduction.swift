internal import SimulatorCore
internal import SimulatorKernel

/// Takes one violation from the schedule that a search found to the one that a report shows.
///
/// Runs the smaller schedule once more with its events, replays it ten times with objects at other addresses, and compares
/// it with the most similar schedule that passes.
struct Reduction {
  let runner: Runner
  let seed: UInt64
  /// The number of executions that shrinking may cost. The replays and the search for a passing run are not counted.
  let limit: Int
  /// The time that shrinking may take. The replays and the search for a passing run are not counted.
  let time: Duration?

  /// The result of a reduction.
  enum Outcome {
    case smaller(Invariant.Violation)
    /// The smaller schedule did not lead to the same trace each time.
    case unstable(Simulation.Execution, Simulation.Execution)
    /// The schedule led to the second trace only while objects had other addresses.
    case moved(Simulation.Execution, Simulation.Execution)
    /// The schedule did not show the violation again.
    case lost
  }

  /// Reduces `violation`, which the execution `found` has shown.
  func reduce(_ violation: Invariant.Violation, of found: Simulation.Execution) -> Outcome {
    let invariant = violation.invariant
    guard
      var shrinker = Shrinker(
        runner, found, invariant: invariant, number: violation.number, seed: seed, limit: limit,
        time: time)
    else { return .lost }
    let result = shrinker.shrink()
    var trials = Trials(
      runner, invariant: invariant, number: violation.number, seed: seed,
      limit: Invariant.Shrinking.maximumReplays + 64)
    let schedule = result.trial.execution.schedule
    let shown = trials.observe(.positions(schedule), keepingEvents: true)
    guard var smaller = shown.violation else { return .unstable(result.trial.execution, shown.execution) }
    let replays = replay(shown, &trials)
    if let failed = replays.failed { return failed }
    smaller.shrinking = Invariant.Shrinking(
      originalSchedule: found.schedule, choices: found.choices.count,
      deviations: shown.met.map { $0.words(in: shown.execution.trace, among: shown.met) },
      marks: shown.met.map(\.mark), faults: shown.met.count { $0.kind == .fault },
      minimality: result.minimality, drewNumbers: shown.execution.choices.contains { $0.kind == .draw },
      executions: result.executions, isOutOfTime: result.isOutOfTime, replayed: replays.reproduced,
      reproduced: replays.reproduced,
      nearestPassing: runner.isTooLate ? nil : nearestPassing(&trials, shown))
    if let passing = smaller.shrinking?.nearestPassing,
      let evidence = RaceEvidence(smaller, passing: passing.trace)
    {
      smaller.diagnosis = evidence.diagnosis
      smaller.evidence = evidence.sentence
    }
    return .smaller(smaller)
  }

  /// Replays what `shown` has shown, each time with its objects elsewhere in memory. Returns how often it came to the same, or
  /// the first replay that did not.
  private func replay(_ shown: Trials.Trial, _ trials: inout Trials) -> (reproduced: Int, failed: Outcome?) {
    let schedule = shown.execution.schedule
    let replays = trials.isLong ? 1 : trials.isCostly ? 3 : Invariant.Shrinking.maximumReplays
    var memory = MovedMemory()
    var reproduced = 0
    for replay in 1...replays where !runner.isTooLate {
      let again = memory.running(replay) { trials.observe(.positions(schedule), keepingEvents: false) }
      if runner.wasCutShort { break }
      guard again.violation != nil, again.execution.trace.digest == shown.execution.trace.digest else {
        let unmoved = trials.observe(.positions(schedule), keepingEvents: false)
        return unmoved.execution.trace.digest == shown.execution.trace.digest
          ? (reproduced, .moved(shown.execution, again.execution))
          : (reproduced, .unstable(shown.execution, again.execution))
      }
      reproduced += 1
    }
    return (reproduced, nil)
  }
}

// MARK: - The nearest passing run

extension Reduction {
  /// Returns the nearest passing run of a schedule that is shown as it is, without shrinking; nil if it violates nothing.
  func nearestPassing(_ schedule: Schedule, violating invariant: String) -> Invariant.NearestPassing? {
    var trials = Trials(runner, invariant: invariant, number: 0, seed: seed, limit: 64)
    let shown = trials.observe(.positions(schedule), keepingEvents: true)
    return shown.violation == nil ? nil : nearestPassing(&trials, shown)
  }

  /// Returns a passing run that differs from the failing one in one choice and shares as much of it as possible. First undoes
  /// one deviation, from the last to the first. Then makes one natural choice differently, also from the end. If all of these
  /// schedules fail, runs the tasks one after the other, as far as that is needed.
  private func nearestPassing(_ trials: inout Trials, _ failing: Trials.Trial) -> Invariant.NearestPassing? {
    let deviations = failing.execution.schedule.deviations
    for index in deviations.indices.reversed() {
      var rest = deviations
      rest.remove(at: index)
      if passes(Schedule(deviations: rest), &trials) {
        return compare(Schedule(deviations: rest), &trials, failing)
      }
    }
    for position in failing.execution.choices.indices.reversed() {
      for schedule in failing.execution.schedule.otherwise(at: position, failing.execution.choices[position])
      {
        guard trials.left > 0 else { break }
        if passes(schedule, &trials) { return compare(schedule, &trials, failing) }
      }
    }
    guard trials.left > 0 else { return nil }
    var shrinker = Shrinker(
      passing: runner, invariant: trials.invariant, seed: seed, limit: 100)
    guard let schedule = shrinker?.reduced() else { return nil }
    return compare(schedule, &trials, failing)
  }

  /// Returns true if the invariant holds.
  private func passes(_ schedule: Schedule, _ trials: inout Trials) -> Bool {
    trials.run(.positions(schedule)).map { $0.violation == nil } ?? false
  }

  private func compare(
    _ schedule: Schedule, _ trials: inout Trials, _ failing: Trials.Trial
  ) -> Invariant.NearestPassing? {
    guard !runner.isTooLate else { return nil }
    let trial = trials.observe(.positions(schedule), keepingEvents: true)
    let passing = trial.execution
    guard trial.violation == nil, let difference = FirstDifference(passing.trace, failing.execution.trace)
    else {
      return nil
    }
    return Invariant.NearestPassing(
      token: passing.token, trace: passing.trace, agreed: difference.agreed,
      next: passing.trace.excerpt(difference.one),
      failingNext: failing.execution.trace.excerpt(difference.other))
  }
}

extension Schedule {
  /// Returns this schedule with another option at `position`, once for each option.
  fileprivate func otherwise(at position: Int, _ choice: Schedule.Choice) -> [Schedule] {
    let others = deviations.filter { $0.position != position }
    return (1..<choice.optionsInOrder).filter { $0 != choice.taken }.map { taken in
      let deviation = Deviation(position: position, taken: taken, options: choice.options)
      return Schedule(deviations: (others + [deviation]).sorted { $0.position < $1.position })
    }
  }
}

extension Simulation.Execution {
  /// True if it was a livelock that took very many steps to recognize.
  var isLong: Bool { ending == .livelock && steps >= Runner.manySteps }
}

extension Invariant.Violation {
  /// Returns the violation as shown once more by the natural order, `found`: nothing can be shrunk, and each replay takes long.
  func provedByOneReplay(of found: Simulation.Execution) -> Self {
    var proved = self
    proved.shrinking = Invariant.Shrinking(
      originalSchedule: found.schedule, choices: found.choices.count, deviations: [], marks: [],
      faults: 0, minimality: .proved(tried: 0), executions: 0, isOutOfTime: false, replayed: 1, reproduced: 1)
    return proved
  }
}
