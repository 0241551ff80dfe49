import ScenarioFiles
import Simulator

/// The result of a scenario: for each of its variants, whether it did what was expected.
struct ScenarioResult: Sendable {
  let scenario: Scenario
  /// In the order of the file.
  let variants: [VariantResult]
  /// What the scenario says and no execution of any variant made use of.
  let untested: [Unused]

  /// Everything that the scenario only seems to test.
  var vacuities: [Unused] {
    Self.vacuities(untested, of: variants.map(\.tested))
  }

  /// The same, by what no execution used and by what each variant has left untested.
  static func vacuities(_ unused: [Unused], of variants: [VariantTested]) -> [Unused] {
    let vacuous = variants.map(\.vacuous)
    let neverJudged = vacuous.dropFirst().reduce(vacuous.first ?? []) { $0.intersection($1) }
    let ofAll = unused.toTell + neverJudged.sorted().map(Unused.init(invariant:))
    // Where a variant breaks, its search ends before it has met every answer and fault of what it uses.
    let searched = variants.filter { $0.untested != nil }
    let told = ofAll.filter { one in
      if !searched.isEmpty, let within = one.within,
        searched.allSatisfy({ $0.mayBeUntested.contains(within) })
      {
        return false
      }
      return !variants.allSatisfy { $0.mayBeUntested.contains(one.name) }
    }
    return told + variants.flatMap { $0.vacuities(besides: told) }
  }
}

/// The result of one variant in one scenario.
struct VariantResult: Codable, Sendable {
  let variant: String
  let expectation: Expectation
  /// What the search found.
  let report: Explorer.Report
  /// The results of the recorded schedules, in the order of the file.
  let replays: [ReplayedToken]

  /// The invariants under `check`.
  var listed: [String] = []

  /// How long it took by the wall clock.
  var duration = Duration.zero

  /// What the scenario says and no execution of this variant made use of; none of a variant that is not to hold, whose search
  /// ends as soon as it has broken.
  var unused: [Unused] = []

  /// What its stories have tried; nil where none is made up.
  var stories: StoryCoverage?

  /// Whether the search was told to end before it had tried all that it was to try.
  var isStopped: Bool { report.interruption == .stopped }

  /// Whether its processes were ended by what no schedule shows again.
  var isNotJudged: Bool { report.interruption == .notJudged }
}

/// A recorded schedule, replayed.
struct ReplayedToken: Codable, Sendable {
  /// The possible results of a replay.
  enum Outcome: Codable, Sendable {
    /// It violates these invariants again, with the same trace.
    case reproduced([String])
    /// It was recorded in the other build, where it is a hint that is tried first.
    case hint
    /// It runs as recorded and violates nothing.
    case harmless
    /// It no longer runs as recorded.
    case diverged(Explorer.Divergence)
    /// It cannot be read.
    case unreadable(Schedule.Token.ParsingError)
  }

  let replay: RecordedReplay
  let outcome: Outcome
}

extension Expectation {
  /// The invariants that are to be violated, of those that this build looks for; none when the variant holds.
  var violated: [String] { names.filter { !notLookedFor.contains($0) } }

  /// The invariants that are to be violated and that only another build looks for.
  var notLookedFor: [String] {
    Simulation.followsAtomics ? [] : names.filter { $0 == Invariant.BuiltIn.dataRace }
  }

  private var names: [String] {
    switch outcome {
    case .holds, .testsNothing: []
    case .violates(let names): names
    }
  }
}
