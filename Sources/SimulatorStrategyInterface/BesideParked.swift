package import SimulatorCore

/// The access before which a step parks, and that step once it is parked.
package final class SoughtAccess: @unchecked Sendable {
  // @unchecked Sendable because one execution at a time uses it, on the driver's thread.
  package let number: UInt32
  package var parked: Strategies.Candidate.ID?

  package init(number: UInt32) { self.number = number }
}

extension Strategies {
  /// Repeats the choices of a recorded execution until a step is parked before the sought access. From then on,
  /// everything else runs before that step.
  package struct BesideParked: Strategies.CandidateObserver {
    private let sought: SoughtAccess
    private let choices: [Schedule.Choice]
    private let seed: UInt64
    private var next = 0
    private var random: SplitMix64
    private var offers: [Strategies.Candidate.ID: Strategies.Candidate.Kind] = [:]

    /// Follows the execution that took `choices`. With a `seed` other than 0, the steps that run beside the parked one
    /// are random.
    package init(_ sought: SoughtAccess, after choices: [Schedule.Choice], seed: UInt64) {
      self.sought = sought
      self.choices = choices
      self.seed = seed
      random = SplitMix64(state: seed)
    }

    package var followsCandidates: Bool { true }
    package mutating func began(_ number: Int, seed: UInt64) {}
    package mutating func offered(_ candidate: Strategies.Candidate) { offers[candidate.id] = candidate.kind }
    package mutating func withdrew(_ candidate: Strategies.Candidate) { offers[candidate.id] = nil }
    package mutating func took(_ candidate: Strategies.Candidate) { offers[candidate.id] = nil }
    package mutating func ended(_ summary: Strategies.ExecutionSummary) {}

    package mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      if point.kind == .access { return .option(0) }
      guard let parked = sought.parked else { return .option(recorded(point)) }
      guard point.kind == .order, !point.atTimer else { return .option(0) }
      let others = offers.filter { $0.key != parked }
      let steps = others.filter { $0.value != .parked }.keys.sorted()
      guard let first = steps.first else {
        // If no step can run, only an action can happen.
        let last = others.keys.min() ?? (offers[parked] == nil ? nil : parked)
        return last.map { .candidate($0) } ?? .option(0)
      }
      return .candidate(seed == 0 ? first : steps[random.below(steps.count)])
    }

    private mutating func recorded(_ point: Strategies.ChoicePoint) -> Int {
      guard next < choices.count, choices[next].kind == point.kind else { return 0 }
      let taken = choices[next].taken
      next += 1
      return taken < point.options ? taken : 0
    }
  }
}
