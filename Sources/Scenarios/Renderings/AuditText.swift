import ScenarioFiles
import Simulator

/// The audit of a scenario in 80 columns: for each variant a matrix, layer by domain, and the rules of the
/// boundaries.
enum AuditText {
  private static let width = TwoColumns.width

  static func of(_ scenario: Scenario, _ audits: [(variant: String, audit: Audit)]) -> String {
    let note = TwoColumns.wrapped(
      "The natural order: who asks which layer from which domain, how often. That only values cross between domains "
        + "is the compiler's to see, in Swift 6 mode.")
    return ([scenario.name] + note + audits.flatMap { [""] + of($0.variant, $0.audit) }).joined(
      separator: "\n")
  }

  private static func of(_ variant: String, _ audit: Audit) -> [String] {
    [variant] + matrix(audit) + audit.rules.flatMap(rule)
  }

  private static func matrix(_ audit: Audit) -> [String] {
    let first = (audit.rows.map(\.layer.count).max() ?? 0) + 4
    let columns = audit.domains.map { max(6, $0.count + 2) }
    let fits = first + columns.reduce(0, +) <= width
    let names = fits ? audit.domains : audit.domains.indices.map { "[\($0 + 1)]" }
    let widths = fits ? columns : names.map { _ in 6 }
    let heading = padded("", first) + zip(names, widths).map { left($0, $1) }.joined()
    let rows = audit.rows.map { row in
      padded("  " + row.layer, first)
        + zip(row.counts, widths).map { left($0 == 0 ? "·" : "\($0)", $1) }.joined()
    }
    let legend = fits ? [] : audit.domains.enumerated().map { "  [\($0.offset + 1)] \($0.element)" }
    return audit.rows.isEmpty ? [] : [heading] + rows + legend
  }

  private static func rule(_ rule: Audit.Rule) -> [String] {
    switch rule.verdict {
    case .holds: ["  ✓ \(rule.sentence)"]
    case .untouched: ["  – \(rule.sentence): nothing to judge"]
    case .leftOut(let reason): ["  – \(rule.sentence): left out"] + inset(reason)
    case .broken(let places): ["  \(mark(rule)) \(rule.sentence):"] + places.flatMap(inset)
    }
  }

  private static func inset(_ text: String) -> [String] {
    TwoColumns.wrapped(text, width: width - 6).map { "      " + $0 }
  }

  private static func mark(_ rule: Audit.Rule) -> String {
    switch rule.verdict {
    case .holds: "✓"
    case .untouched, .leftOut: "–"
    case .broken: rule.isAdvice ? "!" : "✗"
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func left(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
