import ScenarioFiles

/// A system in the list of all systems: its summary, variants, invariants and scenarios, a line each.
struct SystemSummaryText {
  let descriptor: SystemDescriptor
  let scenarios: [Scenario]

  var text: String {
    let title = TwoColumns.wrapped("\(descriptor.name): \(descriptor.summary)").joined(separator: "\n")
    let own = scenarios.filter { $0.system == descriptor.name }
    return title + "\n"
      + section("variants", descriptor.variants.map { ($0.name, $0.summary) })
      + section("invariants", descriptor.invariants.map { ($0.name, $0.summary) })
      + section("not true of it", descriptor.exceptions.map { ($0.invariant, $0.reason) })
      + section("scenarios", own.map { ($0.name, $0.about) }) + "\n"
  }

  private func section(_ title: String, _ rows: [(String, String)]) -> String {
    guard !rows.isEmpty else { return "" }
    return "  \(title)\n" + TwoColumns(rows: rows.map { ("  " + $0.0, $0.1) }).text
  }
}
