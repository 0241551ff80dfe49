import Simulator

/// What a system teaches: the race in words, how it comes about, and the fix.
struct SystemExplanationText {
  let descriptor: SystemDescriptor
  /// The scenario that shows the races, and the file in which it stands.
  let shown: ScenarioResult
  let file: String
  /// The variants that are to hold, in the scenario that searches hardest.
  let proof: ScenarioResult

  var text: String {
    let title = TwoColumns.wrapped("\(descriptor.name): \(descriptor.summary)")
    let about = TwoColumns.wrapped(shown.scenario.about)
    let races = shown.variants.filter { !$0.report.holds }.flatMap { heading($0) + race($0) }
    let holding = proof.variants.flatMap { heading($0) + whyItHolds($0) }
    return (title + [""] + about + races + holding).joined(separator: "\n")
  }

  private func heading(_ result: VariantResult) -> [String] {
    let summary = descriptor.variants.first { $0.name == result.variant }?.summary ?? ""
    return [""] + TwoColumns.wrapped("\(result.variant): \(summary)")
  }

  private func race(_ result: VariantResult) -> [String] {
    guard let violation = result.report.violations.first else { return [] }
    let timeline = violation.description.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("replay: ") }.map(String.init)
    let line = ReplayCommand.line(file, shown.scenario.name, result.variant, violation.token)
    let others = result.report.violations.dropFirst().map(\.invariant)
    let more = others.isEmpty ? [] : TwoColumns.wrapped("It violates \(others.joined(separator: ", ")) too.")
    return timeline + ["replay: \(line)"] + more
  }

  private func whyItHolds(_ result: VariantResult) -> [String] {
    let report = result.report
    let tried =
      "It holds in \(report.schedules.counted("schedule")), \(report.behaviours.counted("behaviour"))"
    let covered = [report.coveredText].compactMap(\.self)
    return TwoColumns.wrapped(([tried] + covered).joined(separator: "; ") + " (\(proof.scenario.name)).")
  }
}
