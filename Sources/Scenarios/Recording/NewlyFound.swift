import SimulatorReports

extension VariantReport {
  /// The schedules of those violations that no recorded schedule shows, each once, in the order found.
  ///
  /// A violation that its schedule alone does not decide is never recorded: a replay may not show it again.
  var newlyFound: [String] {
    let known = Set(replays.flatMap(\.violated))
    var tokens: [String] = []
    for violation in violations where violation.isReplayable && !known.contains(violation.invariant) {
      guard !tokens.contains(violation.token), !replays.contains(where: { $0.token == violation.token })
      else { continue }
      tokens.append(violation.token)
    }
    return tokens
  }
}

extension RunReport {
  /// All schedules that a recording would add.
  var newlyFound: [RecordedSchedule] {
    scenarios.flatMap { scenario in
      scenario.variants.flatMap { variant in
        variant.newlyFound.map {
          RecordedSchedule(
            file: scenario.file, scenario: scenario.name, variant: variant.name, token: $0)
        }
      }
    }
  }
}
