// The rest of a long search, which several processes can run at the same time.
//
// What a search runs first teaches it what all its executions have in common. From there on rounds are dealt out to lanes, in
// turn. Each lane goes on with a copy of the strategy and learns from its own rounds only, so it makes no difference which
// process runs it. What processes have run is concluded in the order of the numbers, as if one had run all.

/// How rounds are dealt out.
struct Lanes {
  /// How many lanes there are, and how many processes can be of use.
  static let count = 16
  /// How many rounds run before.
  static let roundsBefore = 33

  /// The number of the first execution of the first round.
  let first: Int
  /// No execution has this number.
  let end: Int

  func start(of round: Int) -> Int { first + round * Explorer.roundSize }
  func numbers(of round: Int) -> Range<Int> { start(of: round)..<min(end, start(of: round + 1)) }
}

extension Search {
  /// Goes on with copies of `strategy` until the budget is spent or the exploration is done.
  mutating func runLanes(_ strategy: any Strategies.Divisible) {
    guard !isDone else { return }
    let lanes = Lanes(first: number, end: numbering.end)
    if report.processes == .oneAndFresh { report.processes = .fewAndFresh }
    if follow(lanes, strategy) { return }
    // This process does again what others have done, but for the conclusions: it comes to the same copies of the strategy.
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
  /// Has the lanes run by other processes and concludes what they tell, if there can be any. Whether that was all.
  private mutating func follow(_ lanes: Lanes, _ strategy: any Strategies.Divisible) -> Bool {
    guard explorer.jobs > 1, zygote != nil, runner.children == nil, explorer.isolation != .forks,
      FreshProcesses.refusal == nil,
      let crew = Crew(
        min(explorer.jobs, Lanes.count), runner, explorer.processLimits,
        work: { member in
          var member = CrewMember(member, runner: runner, seed: explorer.seed)
          member.run(lanes, strategy)
        })
    else { return false }
    defer { crew.end() }
    var round = 0
    while !isDone, lanes.start(of: round) < lanes.end {
      guard let told = crew.told(of: round % Lanes.count, unless: { isDone }) else { return isDone }
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

  /// Concludes what another process tells of an execution; runs it again where there is more to say than how it went. False if
  /// that is not known.
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
