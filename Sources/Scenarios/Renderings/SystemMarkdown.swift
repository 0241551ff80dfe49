import ScenarioFiles

/// What a scenario may say about one system, as Markdown: a line for each name.
struct SystemMarkdown {
  let descriptor: SystemDescriptor

  var lines: [String] {
    let settings = descriptor.settings.map { "- `with`: " + words($0) }
    let actions = descriptor.actions.map { action in
      let arguments = action.arguments.map(words)
      return "- `do`: `\(action.name)`. \(action.summary)"
        + (arguments.isEmpty ? "" : " With " + arguments.joined(separator: " "))
    }
    let fakes = descriptor.fakes.flatMap { fake in
      ["- `world`: `\(fake.name)`. \(fake.summary)"] + fake.operations.map { "  - " + words($0) }
    }
    let checks = descriptor.invariants.map { "`\($0.name)`" }.joined(separator: ", ")
    return ["", "A scenario may say:", ""] + settings + actions + fakes
      + (checks.isEmpty ? [] : ["- `check`: \(checks)"])
  }

  private func words(_ parameter: SystemDescriptor.Parameter) -> String {
    let value = parameter.defaultValue.map { " Default: `\($0.tree.text)`." } ?? ""
    return "`\(parameter.name)`: \(parameter.summary) Takes \(parameter.kind.allowed).\(value)"
  }

  private func words(_ operation: SystemDescriptor.Operation) -> String {
    let offers = [("replies", operation.replies), ("fails", operation.faults)].filter { !$0.1.isEmpty }
      .map { " `\($0.0 == "replies" ? "reply" : $0.0)`: \($0.1.joined(separator: ", "))." }
    let keys = OperationKey.allCases.filter {
      ![.reply, .fails].contains($0) && !operation.keys.contains($0)
    }
    let without = keys.isEmpty ? "" : " Not: " + keys.map { "`\($0.rawValue)`" }.joined(separator: ", ") + "."
    return "`\(operation.name)`. \(operation.summary)" + offers.joined() + without
  }
}

/// What is the same for all systems.
struct CatalogReference {
  let descriptors: [SystemDescriptor]
  let vocabulary: Vocabulary

  var lines: [String] {
    [
      "", "## Reference", "", "What may be said of an operation, where its system does not say otherwise:",
      "",
    ]
      + table("key", OperationKey.allCases.map { ($0.rawValue, $0.summary) })
      + [
        "", "What `check` may name, and in which systems:", "", "| invariant | what it demands | systems |",
        "| --- | --- | --- |",
      ]
      + invariants + ["", "Checked without being asked:", ""]
      + table("check", vocabulary.builtInChecks.map { ($0.name, $0.summary) })
  }

  private var invariants: [String] {
    var known: [SystemDescriptor.Invariant] = []
    for invariant in descriptors.flatMap(\.invariants)
    where !known.contains(where: { $0.name == invariant.name }) {
      known.append(invariant)
    }
    return known.sorted { $0.name < $1.name }.map { invariant in
      let systems = descriptors.filter { $0.invariants.contains { $0.name == invariant.name } }.map(\.name)
      let takes = invariant.parameter.map { " Takes \($0.allowed)." } ?? ""
      let shown =
        systems.count > descriptors.count / 2
        ? "\(systems.count) of \(descriptors.count)" : systems.joined(separator: ", ")
      return Markdown.row(["`\(invariant.name)`", invariant.summary + takes, shown])
    }
  }

  private func table(_ title: String, _ rows: [(String, String)]) -> [String] {
    ["| \(title) | what it means |", "| --- | --- |"] + rows.map { Markdown.row(["`\($0.0)`", $0.1]) }
  }
}
