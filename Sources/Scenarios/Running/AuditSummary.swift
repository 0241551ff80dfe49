import ScenarioFiles
import Simulator

/// The audits of many scenarios, by system and variant, and how they differ from what the descriptors say.
struct AuditSummary {
  struct Row: Equatable {
    let system: String
    let variant: String
    /// By rule, in the order of ``Boundary/all``.
    var cells: [Cell]
    /// The names of the rules that the descriptor says the variant breaks.
    let declared: [String]
  }

  /// A rule in all scenarios of a variant.
  enum Cell: Equatable {
    case untouched
    case leftOut
    case holds
    /// Broken in the natural order of this scenario, the first one.
    case broken(in: String)
  }

  private(set) var rows: [Row] = []
  private(set) var scenarios = 0

  /// Adds the audits of the variants of a scenario. O(rows).
  mutating func add(
    _ scenario: Scenario, of descriptor: SystemDescriptor, _ audits: [(variant: String, audit: Audit)]
  ) {
    scenarios += 1
    for (variant, audit) in audits {
      let cells = Boundary.all.map { rule in
        cell(audit.rules.first { $0.name == rule.name }, scenario)
      }
      if let row = rows.firstIndex(where: { $0.system == descriptor.name && $0.variant == variant }) {
        rows[row].cells = zip(rows[row].cells, cells).map(Self.worse)
      } else {
        let declared = descriptor.variants.first { $0.name == variant }?.breaks ?? []
        rows.append(Row(system: descriptor.name, variant: variant, cells: cells, declared: declared))
      }
    }
  }

  private func cell(_ rule: Audit.Rule?, _ scenario: Scenario) -> Cell {
    guard let rule, !rule.isAdvice else { return .untouched }
    return switch rule.verdict {
    case .holds: .holds
    case .untouched: .untouched
    case .leftOut: .leftOut
    case .broken: .broken(in: scenario.name)
    }
  }

  private static func worse(_ one: Cell, _ other: Cell) -> Cell {
    switch (one, other) {
    case (.broken, _), (_, .untouched): one
    case (_, .broken), (.untouched, _): other
    case (.holds, _), (_, .holds): .holds
    case (.leftOut, .leftOut): .leftOut
    }
  }

  /// A sentence for each rule that is broken and not declared, or declared and nowhere broken.
  var differences: [String] {
    rows.flatMap { row in
      zip(Boundary.all, row.cells).compactMap { rule, cell in
        guard case .broken = cell else { return Self.notBroken(rule, row) }
        return Self.undeclared(rule, cell, row)
      }
    }
  }

  /// A sentence for each rule that is broken and not declared.
  var undeclared: [String] {
    rows.flatMap { row in
      zip(Boundary.all, row.cells).compactMap { rule, cell in Self.undeclared(rule, cell, row) }
    }
  }

  private static func undeclared(_ rule: Boundary, _ cell: Cell, _ row: Row) -> String? {
    guard case .broken(let scenario) = cell, !row.declared.contains(rule.name) else { return nil }
    return
      "\(row.system) \(row.variant) breaks \(rule.name) in \(scenario), and its descriptor does not say so"
  }

  private static func notBroken(_ rule: Boundary, _ row: Row) -> String? {
    guard row.declared.contains(rule.name) else { return nil }
    return
      "\(row.system) \(row.variant) breaks \(rule.name), says its descriptor, and it does so in no scenario"
  }
}
