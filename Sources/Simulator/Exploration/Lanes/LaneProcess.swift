internal import CProcesses
internal import Foundation
internal import SimulatorCore
internal import SimulatorKernel
internal import SimulatorStrategyInterface

/// Runs the rounds of its lanes in another process and reports on each.
///
/// The searching process draws the conclusions. It receives in full whatever it may have to look at. So in the end it knows
/// what it would know if it had run everything itself.
struct LaneProcess {
  private let member: LaneProcesses.Place
  private let runner: Runner
  private let seed: UInt64
  private var briefs: [LaneReport.Brief] = []
  private var notes: [LaneReport.Note] = []
  private var said = Said()

  /// The facts that have been sent and need not be sent again.
  fileprivate struct Said {
    var warnings: Set<String> = []
    var unseen = false
    var vacuous: Set<String>?
    var occurrences: [String: Bool] = [:]
    var advice = Explorer.Advice()
    var offersCancels: Bool
    var amount: Int
    var suspicions: [[Schedule.CodePoint]: Int] = [:]
    /// The names of violated invariants. `schedules` counts how often each was sent with a schedule.
    var names: [String] = []
    var schedules: [String: Int] = [:]

    init(_ runner: Runner? = nil) {
      offersCancels = runner?.offersCancels ?? false
      amount = runner?.childPayload?.amount() ?? 0
    }
  }

  /// The number of times a violation is sent with its schedule. As a rule the first is confirmed, and all others only count.
  private static let mostSchedules = 3

  init(_ member: LaneProcesses.Place, runner: Runner, seed: UInt64) {
    (self.member, self.runner, self.seed) = (member, runner, seed)
    said = Said(runner)
  }

  /// Runs the member's lanes. Does not return.
  mutating func run(_ lanes: Lanes, _ strategy: any Strategies.Divisible) -> Never {
    var copies = Array(repeating: strategy, count: Lanes.count)
    var round = member.index
    while lanes.start(of: round) < lanes.end {
      let lane = round % Lanes.count
      if lane % member.count == member.index {
        var goesOn = true
        copies[lane] =
          runner.with(copies[lane]) {
            if round < Lanes.count { runner.divide(lane, of: Lanes.count) }
            goesOn = runRound(lanes.numbers(of: round))
          }.strategy
        guard tell(), goesOn else { break }
      }
      round += 1
    }
    cp_leave_copy(0)
  }

  /// Runs one round. Returns true if another execution can follow.
  private mutating func runRound(_ numbers: Range<Int>) -> Bool {
    briefs.removeAll(keepingCapacity: true)
    notes.removeAll(keepingCapacity: true)
    for number in numbers {
      let outcome = runner.execute(number, seed: seed, keepingEvents: false)
      note(outcome)
      // Work has escaped, or a step waits forever: later executions may be spoiled.
      if outcome.execution?.ending == .escaped || runner.needsOverlap && !runner.overlaps { return false }
    }
    runner.roundEnded()
    return true
  }

  private func tell() -> Bool {
    ProcessMessage.send(body: Data(LaneReport.encode(briefs, notes)), to: member.socket)
  }

  private mutating func note(_ outcome: Runner.Outcome) {
    var brief = LaneReport.Brief(outcome)
    var named: [String] = []
    var isAsked = false
    let violated = outcome.execution.map { $0.violations.map(\.invariant) } ?? []
    for name in violated {
      if !said.names.contains(name) {
        said.names.append(name)
        named.append(name)
      }
      said.schedules[name, default: 0] += 1
      isAsked = isAsked || said.schedules[name, default: 0] <= Self.mostSchedules
      let place = said.names.firstIndex(of: name) ?? 0
      if place >= LaneReport.Brief.mostNames { isAsked = true }
      brief.violated |= 1 << UInt32(min(place, LaneReport.Brief.mostNames))
    }
    let isToBeSeen = said.isNews(outcome, runner)
    if isToBeSeen || isAsked {
      let schedule = Schedule(
        choices: runner.choices, hasPreemptibleSteps: runner.overlaps, accessPoints: runner.accessPoints)
      notes.append(
        LaneReport.Note(
          index: briefs.count, schedule: schedule, digest: outcome.summary.digest, isToBeSeen: isToBeSeen,
          violated: violated, named: named))
    }
    briefs.append(brief)
  }
}

extension LaneProcess.Said {
  /// Returns true if the searching process learns something from `outcome` that no earlier execution has shown.
  fileprivate mutating func isNews(_ outcome: Runner.Outcome, _ runner: Runner) -> Bool {
    var isNews = outcome.isCostly || outcome.isLong || outcome.needsOverlap
    if outcome.execution?.ending == .escaped || outcome.pairs != nil { isNews = true }
    for warning in outcome.warnings where warnings.insert(warning).inserted { isNews = true }
    if outcome.unseen != nil, !unseen { (unseen, isNews) = (true, true) }
    let fewer = vacuous?.intersection(outcome.vacuous ?? []) ?? Set(outcome.vacuous ?? [])
    if fewer != vacuous { (vacuous, isNews) = (fewer, true) }
    for (name, hasHappened) in outcome.occurrences where occurrences[name] ?? !hasHappened != hasHappened {
      if occurrences[name] == nil || hasHappened { (occurrences[name], isNews) = (hasHappened, true) }
    }
    if !outcome.advice.isEmpty, advice.isNews(outcome.advice) {
      advice.add(outcome.advice, under: .natural)
      isNews = true
    }
    if runner.offersCancels, !offersCancels { (offersCancels, isNews) = (true, true) }
    let amount = runner.childPayload?.amount() ?? 0
    if amount != self.amount { (self.amount, isNews) = (amount, true) }
    for race in outcome.suspicions {
      suspicions[race.points, default: 0] += 1
      if suspicions[race.points, default: 0] <= Search.mostExecutions { isNews = true }
    }
    return isNews
  }
}
