internal import SimulatorCore
internal import SimulatorKernel

// Confirms data races: two steps that are about to access the same memory at the same moment.
//
// The idea is that of K. Sen, “Race directed random testing of concurrent programs” (2008): a suspicion of an analysis is
// reported only when a schedule has brought both tasks there.

extension Search {
  /// The number of executions after which the search tries to bring both steps of one suspicion to their accesses.
  static let mostExecutions = 4
  /// The number of tries after each of these executions.
  private static let tries = 6

  mutating func makeSure(of suspicions: [SuspectedRace], after choices: [Schedule.Choice]) {
    let before = runner.accessPoints
    defer { runner.accessPoints = before }
    for race in suspicions where !report.hasViolation(of: Invariant.BuiltIn.dataRace) && !isSatisfied {
      let tried = suspected[race.points, default: 0]
      guard tried < Self.mostExecutions else { continue }
      suspected[race.points] = tried + 1
      runner.accessPoints = race.points
      for seed in 0..<UInt64(Self.tries) where !runner.isToStop {
        if bringTogether(race, after: choices, seed: seed) { break }
      }
    }
  }

  /// Returns true if both steps came to their accesses.
  private mutating func bringTogether(_ race: SuspectedRace, after choices: [Schedule.Choice], seed: UInt64)
    -> Bool
  {
    let outcome = runner.beside(race, after: choices, seed: seed) {
      runner.execute(number, seed: explorer.seed, keepingEvents: false)
    }
    guard let found = outcome.execution,
      found.violations.contains(where: { $0.invariant == Invariant.BuiltIn.dataRace })
    else { return false }
    countBesides(outcome)
    confirm(found, [Invariant.BuiltIn.dataRace])
    return true
  }
}
