import ScenarioFiles
import Simulator
import SimulatorReports

/// A variant's verdict in plain lines, for readers that show a text: with the seed, and the line that replays
/// each violation.
struct VariantText {
  let variant: VariantReport
  let scenario: ScenarioReport
  let build: Schedule.Token.Build

  /// What is wrong, in one line, with the seed and what replays it.
  var summary: String {
    let complaints = variant.complaints + (variant.isStrict ? variant.outdated : [])
    let first = relevant.first
    let parts =
      [complaints.map(\.quietText).joined(separator: "; ")] + [first?.headline].compactMap(\.self)
      + ["seed \(scenario.search.seed)"] + [first.map { "replay: \($0.replayCommand)" }].compactMap(\.self)
    return parts.joined(separator: " · ")
  }

  /// The kind of failure in one word: the name of the unexpected violation's invariant if there is one.
  var kind: String {
    if let violation = variant.unexpected.first { return violation.invariant }
    if variant.isNotJudged { return "not-judged" }
    return variant.complaints.isEmpty ? "outdated" : "not-covered"
  }

  /// Everything.
  var whole: String {
    let head = [
      "\(variant.mark.sign) \(scenario.name) · \(variant.name): \(verdict)",
      "seed \(scenario.search.seed), strategy \(scenario.search.strategy), \(build.rawValue) build",
    ]
    let violations = (variant.isAsExpected ? variant.violations : relevant).map { violation in
      "\n\(violation.explanation)\n\nreplay: \(violation.replayCommand)"
    }
    let cure = remedy.map { ["", "what to do: \($0)"] } ?? []
    let complaints = (variant.complaints + variant.outdated).map(\.text)
    return (head + complaints + violations + cure).joined(separator: "\n")
  }

  /// What a person can do about what is not as the file says; nil where there is nothing, or it was said already.
  var remedy: String? {
    if !variant.unexpected.isEmpty {
      return "mend what it shows; or, where that is known and stays, name it under \"expect\" of the scenario"
    }
    return variant.gone.isEmpty || variant.gone == [Expectation.anything]
      ? nil
      : "where it was mended, let \"expect\" of the scenario say so; else let it search more schedules"
  }

  /// Of several, those that fail the run.
  private var relevant: [ViolationReport] {
    variant.unexpected.isEmpty ? variant.violations : variant.unexpected
  }

  private var verdict: String { RunText.verdict(variant) }
}
