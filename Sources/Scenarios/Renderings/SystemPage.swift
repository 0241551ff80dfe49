import ScenarioFiles
import Simulator

/// A system as a page of Markdown: what breaks and what holds, the fix, and what a scenario may say.
struct SystemPage {
  let explanation: SystemExplanation
  let vocabulary: Vocabulary

  /// How wide a timeline is.
  private static let width = 120

  var text: String {
    let descriptor = explanation.descriptor
    let parts =
      top + section("What breaks", races) + section("The code", code)
      + section("What holds", explanation.proofs.flatMap { heading($0.variant) + [$0.text] })
      + section("The fix", fixes) + section("What a scenario may say", names)
      + section("What is checked", checks(descriptor))
    return parts.joined(separator: "\n") + "\n"
  }

  private var top: [String] {
    let descriptor = explanation.descriptor
    let origin = descriptor.lesson.map { ["", "Drawn from: \($0.origin)"] } ?? []
    let folder = explanation.lesson?.folder.map { ["", "In the sources: \(Markdown.link($0, $0))."] } ?? []
    return ["# \(descriptor.name)", "", descriptor.summary] + origin + folder
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", "## \(title)"] + lines
  }

  private func heading(_ variant: SystemDescriptor.Variant) -> [String] {
    ["", "**\(variant.name)**: \(variant.summary)"]
  }

  private var races: [String] {
    var told: String?
    var shown: Set<String> = []
    return explanation.races.flatMap { race in
      let about =
        race.scenario.name == told ? [] : ["", "In `\(race.scenario.name)`: \(race.scenario.about)"]
      told = race.scenario.name
      let others = race.othersText.map { ["", $0] } ?? []
      // The same race of another variant takes a line: its story is much the same.
      let isTold = !shown.insert(race.kind).inserted
      let story = isTold ? race.headline : race.timeline(width: Self.width)
      return about + heading(race.variant) + [""] + Markdown.block("text", [story, race.replayLine]) + others
    }
  }

  private var code: [String] {
    let files = explanation.lesson?.code ?? []
    return files.flatMap { file in
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      return ["", "\(Markdown.link(file.path, file.path)):", ""]
        + Markdown.block("swift", lines.last == "" ? lines.dropLast() : lines)
    }
  }

  private var fixes: [String] {
    guard let lesson = explanation.lesson else { return [] }
    if let missing = lesson.missing { return ["", FoundLesson.missingText(missing)] }
    return lesson.fixes.flatMap { ["", "\($0.title):", ""] + Markdown.block("diff", $0.diff.text) }
      + Markdown.table(
        ["guard", "without it", "where"],
        lesson.guards.map { ["`\($0.name)`", $0.reason, "`\($0.place)`"] })
  }

  /// A line for each name that a scenario may use.
  private var names: [String] {
    let descriptor = explanation.descriptor
    let settings = descriptor.settings.map { "- `with`: " + words($0) }
    let actions = descriptor.actions.map { action in
      let arguments = action.arguments.map(words)
      return "- `do`: `\(action.name)`. \(action.summary)"
        + (arguments.isEmpty ? "" : " With " + arguments.joined(separator: " "))
    }
    let fakes = descriptor.fakes.flatMap { fake in
      ["- `world`: `\(fake.name)`. \(fake.summary)"] + fake.operations.map { "  - " + words($0) }
    }
    let all = settings + actions + fakes
    return all.isEmpty ? [] : [""] + all
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

  private func checks(_ descriptor: SystemDescriptor) -> [String] {
    let own = descriptor.invariants.map { invariant in
      let takes = invariant.parameter.map { " Takes \($0.allowed)." } ?? ""
      return ["`\(invariant.name)`", invariant.summary + takes]
    }
    return Markdown.table(["`check`", "what it demands"], own)
      + Markdown.table(
        ["true of every screen, but not here", "why"],
        descriptor.exceptions.map { ["`\($0.invariant)`", $0.reason] })
      + Markdown.table(
        ["in every scenario", "what it demands"],
        vocabulary.builtInChecks.map { ["`\($0.name)`", $0.summary] })
  }
}
