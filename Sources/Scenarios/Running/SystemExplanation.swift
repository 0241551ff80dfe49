import ScenarioFiles
import Simulator

/// What a system teaches: for each variant that breaks the violation that shows it best, why the others hold, and what mends it.
struct SystemExplanation {
  /// A variant that breaks, as one violation shows it.
  struct Race {
    let variant: SystemDescriptor.Variant
    let file: String
    let scenario: Scenario
    let violation: Invariant.Violation
    /// What else it violates, in whatever scenario.
    let others: [String]
  }

  /// A variant that holds, in the scenario that searches hardest.
  struct Proof {
    let variant: SystemDescriptor.Variant
    let scenario: String
    let report: Explorer.Report
  }

  let descriptor: SystemDescriptor
  let races: [Race]
  let proofs: [Proof]
  let lesson: FoundLesson?

  /// The explanation by the results of scenarios, each with the file in which it stands.
  init(_ descriptor: SystemDescriptor, _ results: [(file: String, result: ScenarioResult)]) {
    self.descriptor = descriptor
    let races = descriptor.variants.filter { !$0.mayBreakThough }.compactMap {
      Self.race($0, descriptor, results)
    }
    self.races = races
    proofs = descriptor.variants.filter { variant in !races.contains { $0.variant.name == variant.name } }
      .compactMap { Self.proof($0, results.map(\.result)) }
    lesson = descriptor.lesson.map { FoundLesson($0, of: descriptor.variants) }
  }

  private static func proof(_ variant: SystemDescriptor.Variant, _ results: [ScenarioResult]) -> Proof? {
    for result in results {
      if let found = result.variants.first(where: {
        $0.variant == variant.name && $0.expectation.outcome == .holds
      }) {
        return Proof(variant: variant, scenario: result.scenario.name, report: found.report)
      }
    }
    return nil
  }

  private static func race(
    _ variant: SystemDescriptor.Variant, _ descriptor: SystemDescriptor,
    _ results: [(file: String, result: ScenarioResult)]
  ) -> Race? {
    let found = results.flatMap { file, result in
      result.variants.filter { $0.variant == variant.name }.flatMap(\.report.violations)
        .map { (file, result.scenario, $0) }
    }
    let weights = found.map { Weight($0.2, descriptor) }
    guard let best = found.indices.min(by: { weights[$0] < weights[$1] }) else { return nil }
    let (file, scenario, violation) = found[best]
    var others: [String] = []
    for (_, _, other) in found
    where other.invariant != violation.invariant && !others.contains(other.invariant) {
      others.append(other.invariant)
    }
    return Race(variant: variant, file: file, scenario: scenario, violation: violation, others: others)
  }
}

/// How little a violation tells: one that a user feels comes before one that only a developer sees; of those what the system
/// names first, what is told in the fewest lines, what leaves the natural order least often, and what needs no fault of the world.
private struct Weight: Comparable {
  private let cost: Int

  init(_ violation: Invariant.Violation, _ descriptor: SystemDescriptor) {
    let place =
      descriptor.invariants.firstIndex { $0.name == violation.invariant } ?? descriptor.invariants.count
    let lines = Explorer.Explanation(violation).timeline?.entries.count ?? 0
    // A timeline has a most of lines, and leaves the others out.
    let length = lines + violation.step / 50
    let faults = violation.shrinking?.faults ?? 0
    cost =
      length + place * 6 + violation.token.schedule.deviations.count * 4 + faults * 20
      + (Self.unfelt.contains(violation.invariant) ? 100_000 : 0)
  }

  static func < (one: Weight, other: Weight) -> Bool { one.cost < other.cost }

  /// What costs requests, memory or work, and what a user does not see by itself.
  private static let unfelt: Set = [
    "cancellable-while-in-flight",
    "cancellation-reaches-transport",
    "continuation-resumed-twice",
    "data-race",
    "finished-is-forgotten",
    "freed",
    "no-expired-token-sent",
    "no-orphaned-write",
    "nondeterminism",
    "nothing-leaks",
    "nothing-outlives",
    "screen-only-on-main",
    "settles-within",
    "single-flight",
    "stops-within",
    "within-capacity",
  ]
}

extension SystemDescriptor.Variant {
  /// Whether it is meant to hold although it violates something in some scenario, which asks too much of it.
  fileprivate var mayBreakThough: Bool { isSound && !diagnoses.isEmpty }
}
