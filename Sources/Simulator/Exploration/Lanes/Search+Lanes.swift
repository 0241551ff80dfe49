internal import SimulatorCore
internal import SimulatorKernel
internal import SimulatorStrategyInterface

// The rest of a long search, which several processes can run at the same time.
//
// From its first rounds, a search learns what all its executions have in common. Later rounds are dealt out to lanes, in
// turn. Each lane continues with a copy of the strategy and learns only from its own rounds, so it makes no difference which
// process runs it. The results of all processes are concluded in the order of the numbers, as if one process had run them all.

/// The way rounds are dealt out.
struct Lanes {
  /// The number of lanes, and so the number of processes that can be of use.
  static let count = 16
  /// The number of rounds that run before the lanes.
  static let roundsBefore = 33

  /// The number of the first execution of the first round.
  let first: Int
  /// The end of the numbers: no execution has this number.
  let end: Int

  func start(of round: Int) -> Int { first + round * Explorer.roundSize }
  func numbers(of round: Int) -> Range<Int> { start(of: round)..<min(end, start(of: round + 1)) }
}

extension Search {
  /// Continues with copies of `strategy` until the budget is spent or the exploration is done.
  mutating func runLanes(_ strategy: any Strategies.Divisible) {
    guard !isDone else { return }
    let lanes = Lanes(first: number, end: numbering.end)
    if report.processes == .oneAndFresh { report.processes = .fewAndFresh }
    if follow(lanes, strategy) { return }
    // This process repeats what others have run, except for the conclusions. So it gets the same copies of the strategy.
    runHere(lanes, strategy, concludedBefore: number)
  }

  private mutating func runHere(
    _ lanes: Lanes, _ strategy: any Strategies.Divisible, concludedBefore known: Int
  ) {
    var copies = Array(repeating: strategy, count: Lanes.count)
    var round = 0
    while !isDone, lanes.start(of: round) < lanes.end {
      let lane = round % Lanes.count
      copies[lane] =
        runner.with(copies[lane]) {
          if round < Lanes.count { runner.divide(lane, of: Lanes.count) }
          runRound(lanes.numbers(of: round), concludedBefore: known)
        }.strategy
      round += 1
    }
  }

  private mutating func runRound(_ numbers: Range<Int>, concludedBefore known: Int) {
    for next in numbers {
      if isDone { return }
      if next < known {
        _ = runner.execute(next, seed: explorer.seed, keepingEvents: false)
      } else {
        go(to: next)
        step()
        sweepIfOffered()
      }
    }
    runner.roundEnded()
  }
}

// MARK: - Other processes

extension Search {
  /// Lets other processes run the lanes, if there can be any, and concludes their reports. Returns true if that was all.
  private mutating func follow(_ lanes: Lanes, _ strategy: any Strategies.Divisible) -> Bool {
    guard explorer.jobs > 1, freshServer != nil, runner.children == nil, explorer.isolation != .forks,
      FreshProcesses.refusal == nil,
      let processes = LaneProcesses(
        min(explorer.jobs, Lanes.count), runner, explorer.processLimits,
        work: { member in
          var member = LaneProcess(member, runner: runner, seed: explorer.seed)
          member.run(lanes, strategy)
        })
    else { return false }
    defer { processes.end() }
    var round = 0
    while !isDone, lanes.start(of: round) < lanes.end {
      guard let told = processes.told(of: round % Lanes.count, unless: { isDone }) else { return isDone }
      for (number, told) in zip(lanes.numbers(of: round), told.executions) {
        if isDone { return true }
        go(to: number)
        guard conclude(told) else { return false }
        sweepIfOffered()
      }
      if told.executions.count < lanes.numbers(of: round).count { return isDone }
      round += 1
    }
    return true
  }

  /// Concludes the report of another process on an execution. If there is more to report than the outcome, runs the execution
  /// again. Returns false if its schedule is unknown.
  private mutating func conclude(_ told: LaneReport.Execution) -> Bool {
    let isKnown = told.violated.allSatisfy { report.hasViolation(of: $0) }
    if isKnown, !told.isToBeSeen {
      count(told.outcome)
      return true
    }
    guard let schedule = told.schedule else { return false }
    var outcome = runner.replaying(schedule) {
      runner.execute(number, seed: explorer.seed, keepingEvents: false)
    }
    outcome.isIndependent = told.outcome.isIndependent
    if outcome.summary.digest != told.outcome.summary.digest {
      report.keepsState = true
      let seen =
        told.violated.isEmpty ? "something else" : "a violation of \(told.violated.joined(separator: ", "))"
      report.warn(
        "a process that had run other schedules before showed \(seen) under one that this process was asked to confirm: "
          + KeptState.decides)
    }
    conclude(outcome)
    return true
  }
}
