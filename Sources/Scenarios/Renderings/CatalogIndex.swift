import ScenarioFiles
import Simulator

/// The systems in Markdown: the races by their kind, then each system with its scenarios. `SystemPage` has what there is to say
/// about one.
struct CatalogIndex {
  let explanations: [SystemExplanation]
  /// All scenarios of the systems.
  let scenarios: [Scenario]
  let vocabulary: Vocabulary

  var text: String { (top + races + systems).joined(separator: "\n") + "\n" }

  private var top: [String] {
    [
      "# The catalog", "",
      "`simrun list SYSTEM` explains a system: the violation that shows its race best as a timeline, the lines that fix it, what",
      "each guard is for, and what a scenario may say. `simrun list --markdown SYSTEM` prints the same as a page.",
    ]
  }

  /// A row for each kind of race; in it, in the order of the systems, each system with the schedule that shows it in the first of
  /// its variants.
  private var races: [String] {
    let found = explanations.flatMap { explanation in
      Dictionary(grouping: explanation.races, by: \.diagnosis).map { kind, races in
        let names = races.map(\.variant.name).joined(separator: ", ")
        return (kind, "\(link(explanation)) \(names): `\(races[0].replayCommand)`")
      }
    }
    let kinds = Dictionary(grouping: found, by: \.0).sorted { $0.key < $1.key }
    let rows = kinds.map { [$0.key, $0.value.map(\.1).joined(separator: "<br>")] }
    let table = Markdown.table(["race", "systems, variants, and how to replay it"], rows)
    return table.isEmpty ? [] : ["", "## By kind of race"] + table
  }

  private var systems: [String] {
    let rows = explanations.map { explanation in
      let descriptor = explanation.descriptor
      let names = scenarios.filter { $0.system == descriptor.name }.map { "`\($0.name)`" }
      let proofs = explanation.proofs.filter(\.report.holds).map { proof in
        "\(proof.variant.name): \(proof.report.schedules.counted("schedule"))"
      }
      return [
        link(explanation), descriptor.summary, names.joined(separator: ", "),
        proofs.joined(separator: "; ") + " " + digest(explanation),
      ]
    }
    return [
      "", "## By system", "",
      "<!-- Behind each row is the digest of the system's page: it changes when anything on the page does. -->",
    ]
      + Markdown.table(["system", "what it is", "scenarios", "holds"], rows)
  }

  private func digest(_ explanation: SystemExplanation) -> String {
    let page = SystemPage(explanation: explanation, vocabulary: vocabulary).text
    return "<!-- \(Fingerprint(of: page).description.prefix(8)) -->"
  }

  private func link(_ explanation: SystemExplanation) -> String {
    let name = explanation.descriptor.name
    return explanation.lesson?.folder.map { Markdown.link(name, $0) } ?? name
  }
}
