import ScenarioFiles
import Simulator

/// All systems on one page of Markdown: what each teaches and what a scenario may say of it, and once, at the end, what is the
/// same for all.
struct CatalogMarkdown {
  let explanations: [SystemExplanation]
  let vocabulary: Vocabulary

  /// How wide a timeline is.
  private static let width = 120

  var text: String {
    (top + explanations.flatMap(section)
      + CatalogReference(descriptors: explanations.map(\.descriptor), vocabulary: vocabulary).lines)
      .joined(separator: "\n") + "\n"
  }

  private var top: [String] {
    [
      "# The catalog", "",
      "Each system with the violation that shows its race best, the lines that mend it, what each guard is for, and what a",
      "scenario may say. `simrun list SYSTEM` tells one in a terminal. The [reference](#reference) has what all share.",
      "",
      "| system | what it is | variants that break |", "| --- | --- | --- |",
    ]
      + explanations.map { explanation in
        let descriptor = explanation.descriptor
        let broken = explanation.races.map(\.variant.name).joined(separator: ", ")
        return Markdown.row(["[\(descriptor.name)](#\(descriptor.name))", descriptor.summary, broken])
      }
  }

  private func section(_ explanation: SystemExplanation) -> [String] {
    let descriptor = explanation.descriptor
    let origin = descriptor.lesson.map { ["", "Drawn from: \($0.origin)"] } ?? []
    return ["", "## \(descriptor.name)", "", descriptor.summary] + origin + races(explanation)
      + explanation.proofs.flatMap { heading($0.variant) + [$0.text] } + fixes(explanation)
      + SystemMarkdown(descriptor: descriptor).lines
  }

  private func heading(_ variant: SystemDescriptor.Variant) -> [String] {
    ["", "**\(variant.name)**: \(variant.summary)"]
  }

  private func races(_ explanation: SystemExplanation) -> [String] {
    var told: String?
    var shown: Set<String> = []
    return explanation.races.flatMap { race in
      let about =
        race.scenario.name == told ? [] : ["", "In `\(race.scenario.name)`: \(race.scenario.about)"]
      told = race.scenario.name
      let others = race.othersText.map { ["", $0] } ?? []
      // The same race of another variant is told in a line: its story is much the same.
      let isTold = !shown.insert(race.kind).inserted
      let story = isTold ? race.headline : race.timeline(width: Self.width)
      return about + heading(race.variant) + [""] + Markdown.block("text", [story, race.replayLine]) + others
    }
  }

  private func fixes(_ explanation: SystemExplanation) -> [String] {
    guard let lesson = explanation.lesson else { return [] }
    if let missing = lesson.missing { return ["", FoundLesson.missingText(missing)] }
    let guards = lesson.guards.map { Markdown.row(["`\($0.name)`", $0.reason, "`\($0.place)`"]) }
    return lesson.fixes.flatMap { ["", "\($0.title):", ""] + Markdown.block("diff", $0.diff.text) }
      + (guards.isEmpty ? [] : ["", "| guard | without it | where |", "| --- | --- | --- |"] + guards)
  }
}

/// Pieces of Markdown.
enum Markdown {
  /// A row of a table.
  static func row(_ cells: [String]) -> String {
    "| " + cells.map { $0.replacing("|", with: "\\|").replacing("\n", with: " ") }.joined(separator: " | ")
      + " |"
  }

  /// Lines as they stand, within a fence that none of them ends.
  static func block(_ language: String, _ lines: [String]) -> [String] {
    let fence = lines.contains { $0.contains("```") } ? "`````" : "```"
    return [fence + language] + lines + [fence]
  }
}
