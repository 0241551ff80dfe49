import ScenarioFiles

/// The audits of all scenarios in 80 columns: a line for each variant of each system, a column for each rule.
enum AuditSummaryText {
  static func of(_ summary: AuditSummary) -> String {
    let legend = Boundary.all.enumerated().flatMap { number, rule in
      ["  [\(number + 1)] \(rule.name): \(rule.sentence)"]
    }
    let note = TwoColumns.wrapped(
      "The rules of the boundaries, in the natural order of \(Self.count(summary.scenarios, "scenario")). "
        + "✓ holds, ✗ is broken somewhere, – has nothing to judge, · is left out with a reason.")
    var lines = note + legend
    for (number, row) in summary.rows.enumerated() {
      if number == 0 || summary.rows[number - 1].system != row.system {
        lines += ["", Self.padded(row.system) + Boundary.all.indices.map { "[\($0 + 1)] " }.joined().trimmed]
      }
      lines.append(Self.padded("  " + row.variant) + row.cells.map { " \(Self.mark($0))  " }.joined().trimmed)
    }
    let differences = summary.differences
    lines += differences.isEmpty ? [] : [""] + differences.flatMap { TwoColumns.wrapped("✗ " + $0) }
    let end = differences.isEmpty ? "all as declared" : "\(Self.count(differences.count, "difference"))"
    return
      (lines + [
        "",
        "\(Self.count(summary.scenarios, "scenario")), "
          + "\(Self.count(summary.rows.count, "variant")): \(end)",
      ]).joined(separator: "\n")
  }

  private static func mark(_ cell: AuditSummary.Cell) -> String {
    switch cell {
    case .untouched: "–"
    case .leftOut: "·"
    case .holds: "✓"
    case .broken: "✗"
    }
  }

  private static func padded(_ text: String) -> String {
    let column = 40
    return text.count + 1 < column ? text + String(repeating: " ", count: column - text.count) : text + " "
  }

  private static func count(_ number: Int, _ thing: String) -> String {
    number == 1 ? "1 \(thing)" : "\(number) \(thing)s"
  }
}

extension String {
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
