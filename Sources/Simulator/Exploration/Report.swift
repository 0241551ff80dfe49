/// What an exploration found.
public struct Report: Sendable {
  /// The name of what was explored.
  public let name: String
  /// What random choices were drawn from.
  public let seed: UInt64
  /// How many schedules were tried.
  public private(set) var schedules = 0
  /// How many of them violated something.
  public private(set) var failures = 0
  /// The steps of all of them.
  public private(set) var steps = 0
  /// The first violation of each invariant, in the order found. Each has been replayed once.
  public private(set) var violations: [Violation] = []
  /// At how many points a cancel that may come anywhere has come; nil if none may.
  public internal(set) var cancellations: CancellationCoverage?
  /// What is no violation but worth knowing, each once.
  public private(set) var warnings: [String] = []
  /// The invariants that have never had anything to judge.
  public private(set) var vacuous: Set<String>?

  init(name: String, seed: UInt64) {
    self.name = name
    self.seed = seed
  }

  /// Whether nothing was violated.
  public var holds: Bool { violations.isEmpty }

  /// Whether a violation of `invariant` is among ``violations``.
  public func hasViolation(of invariant: String) -> Bool {
    violations.contains { $0.invariant == invariant }
  }

  mutating func count(_ outcome: Runner.Outcome) {
    schedules += 1
    steps += outcome.summary.steps
    if outcome.summary.violated { failures += 1 }
    if warnings.count < 10 {
      for warning in outcome.warnings where !warnings.contains(warning) { warnings.append(warning) }
    }
    if vacuous == nil {
      vacuous = Set(outcome.vacuous)
    } else if vacuous?.isEmpty == false {
      vacuous?.formIntersection(outcome.vacuous)
    }
  }

  mutating func add(_ violation: Violation) {
    guard !hasViolation(of: violation.invariant) else { return }
    violations.append(violation)
  }
}
