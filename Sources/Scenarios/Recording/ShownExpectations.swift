import ScenarioFiles
import Simulator

/// What the variants of one scenario were seen to do, beside what its file says of them.
struct ShownExpectations {
  let file: String
  let scenario: Scenario
  let seen: [SeenOutcome]

  /// What the file does not say, or says otherwise; nothing of a variant that was not judged.
  var changes: [SeenOutcome] {
    seen.filter { $0.notJudged == nil && !isSaid($0) }
  }

  var addition: ExpectationInsertion.Addition {
    ExpectationInsertion.Addition(scenario: scenario.name, outcomes: changes)
  }

  /// Whether something could not be judged.
  var isUnjudged: Bool { seen.contains { $0.notJudged != nil } }

  /// The order in which a file lists invariants says nothing.
  private func isSaid(_ outcome: SeenOutcome) -> Bool {
    guard let said = scenario.expectation(of: outcome.variant), !said.isMissing else { return false }
    switch (said.outcome, outcome.outcome) {
    case (.holds, .holds), (.testsNothing, .testsNothing): return true
    case (.violates(let a), .violates(let b)): return Set(a) == Set(b)
    default: return false
    }
  }

  /// A line for the scenario, and one for each variant.
  func text(_ vocabulary: Vocabulary) -> String {
    let variants = vocabulary.system(scenario.system)?.variants ?? []
    let lines = seen.map { outcome in
      "  " + line(outcome, isSound: variants.first { $0.name == outcome.variant }?.isSound ?? false)
    }
    return ([Echo.plain(file) + ": " + scenario.name] + lines).joined(separator: "\n")
  }

  private func line(_ outcome: SeenOutcome, isSound: Bool) -> String {
    if let reason = outcome.notJudged {
      return "\(outcome.variant) NOT JUDGED, nothing is written of it: \(reason.visible)"
    }
    let said = scenario.expectation(of: outcome.variant)
    let before = said.flatMap { $0.isMissing ? nil : "; the file says: \(Self.words($0.outcome))" }
    let remark = isSaid(outcome) ? ", as the file says" : before ?? ""
    let meant = isSound && outcome.outcome != .holds ? ", though it is meant to hold" : ""
    return "\(outcome.variant) \(Self.words(outcome.outcome))\(meant)\(remark)"
  }

  private static func words(_ outcome: Expectation.Outcome) -> String {
    switch outcome {
    case .holds: "holds"
    case .testsNothing: "tests nothing"
    case .violates(let names): "violates " + names.joined(separator: ", ")
    }
  }
}
