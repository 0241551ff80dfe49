import ScenarioFiles

/// A system's descriptor as text: every name that a scenario may use, and what it means.
struct SystemDescriptorText {
  let descriptor: SystemDescriptor
  let vocabulary: Vocabulary

  var text: String {
    let sections = [
      section("Variants", descriptor.variants.map { ($0.name, Self.sentence($0)) }),
      section("Settings (\"with\")", descriptor.settings.map(row)),
      section("Actions (\"do\")", descriptor.actions.flatMap(rows)),
    ]
    let fakes = descriptor.fakes.map {
      section("World: \"\($0.name)\". \($0.summary)", $0.operations.flatMap(rows))
    }
    let checks = [
      section("Invariants (\"check\")", descriptor.invariants.map(row)),
      section("True of every screen, but not here", descriptor.exceptions.map { ($0.invariant, $0.reason) }),
      section("Checked without being asked", vocabulary.builtInChecks.map { ($0.name, $0.summary) }),
    ]
    let keys = OperationKey.allCases.filter { key in
      descriptor.fakes.contains { $0.operations.contains { $0.keys.contains(key) } }
    }
    let legend = section("What may be said of an operation", keys.map { ($0.rawValue, $0.summary) })
    return (sections + fakes + [legend] + checks).joined()
  }

  private func section(_ title: String, _ rows: [(String, String)]) -> String {
    guard !rows.isEmpty else { return "" }
    let title = TwoColumns.wrapped(title).joined(separator: "\n")
    return "\n\(title)\n\(TwoColumns(rows: rows).text)"
  }

  private static func sentence(_ variant: SystemDescriptor.Variant) -> String {
    variant.breaks.isEmpty
      ? variant.summary
      : "\(variant.summary) Breaks these rules of the boundaries: \(variant.breaks.joined(separator: ", "))."
  }

  private func rows(_ action: SystemDescriptor.Action) -> [(String, String)] {
    [(action.name, action.summary)] + action.arguments.map(row).map { ("  " + $0.0, $0.1) }
  }

  private func row(_ parameter: SystemDescriptor.Parameter) -> (String, String) {
    let value = parameter.defaultValue.map { " Default: \($0.tree.text)." } ?? ""
    return (parameter.name, "\(parameter.summary) Takes \(parameter.kind.allowed).\(value)")
  }

  private func row(_ invariant: SystemDescriptor.Invariant) -> (String, String) {
    let takes = invariant.parameter.map { " Takes \($0.allowed)." } ?? ""
    return (invariant.name, invariant.summary + takes)
  }

  private func rows(_ operation: SystemDescriptor.Operation) -> [(String, String)] {
    let plain = operation.keys.filter { $0 != .reply && $0 != .fails }.map(\.rawValue)
    let rows = [
      ("  reply", operation.replies), ("  fails", operation.faults), ("  takes", plain),
    ]
    return [(operation.name, operation.summary)]
      + rows.filter { !$0.1.isEmpty }.map { ($0.0, $0.1.joined(separator: ", ")) }
  }
}
