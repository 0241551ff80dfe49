import ScenarioFiles
import Simulator

/// What a system teaches, in a terminal: the races in words, how they come about, and the fix.
struct SystemExplanationText {
  let explanation: SystemExplanation

  var text: String {
    let descriptor = explanation.descriptor
    let title = TwoColumns.wrapped("\(descriptor.name): \(descriptor.summary)")
    let origin = descriptor.lesson.map { TwoColumns.wrapped("Drawn from: \($0.origin)") } ?? []
    return (title + origin + races + explanation.proofs.flatMap(proof) + fixes).joined(separator: "\n")
  }

  private var races: [String] {
    var told: String?
    return explanation.races.flatMap { race in
      let about =
        race.scenario.name == told
        ? [] : [""] + TwoColumns.wrapped("\(race.scenario.name): \(race.scenario.about)")
      told = race.scenario.name
      return about + heading(race.variant) + lines(race)
    }
  }

  private func heading(_ variant: SystemDescriptor.Variant) -> [String] {
    [""] + TwoColumns.wrapped("\(variant.name): \(variant.summary)")
  }

  private func lines(_ race: SystemExplanation.Race) -> [String] {
    [race.timeline(), race.replayLine] + (race.othersText.map { TwoColumns.wrapped($0) } ?? [])
  }

  private func proof(_ proof: SystemExplanation.Proof) -> [String] {
    heading(proof.variant) + TwoColumns.wrapped(proof.text)
  }

  private var fixes: [String] {
    guard let lesson = explanation.lesson else { return [] }
    if let missing = lesson.missing {
      return [""] + TwoColumns.wrapped(FoundLesson.missingText(missing))
    }
    let guards = lesson.guards.map { ($0.name, "\($0.reason) (\($0.place))") }
    return lesson.fixes.flatMap { ["", $0.title + ":"] + $0.diff.text.map(\.visible) }
      + (guards.isEmpty
        ? []
        : ["", "Guards, and what would be without them", String(TwoColumns(rows: guards).text.dropLast())])
  }
}

extension FoundLesson {
  /// Why there is no diff.
  static func missingText(_ path: String) -> String {
    "The lines that differ are not shown, because the sources are not on this machine: \(path)."
  }
}

extension FoundLesson.Fix {
  /// What it mends, or to what it leads.
  var title: String {
    let names = broken.joined(separator: ", ")
    return isMended ? "The fix, from \(names) to \(nearest)" : "From \(names) to \(nearest)"
  }
}

extension SystemExplanation.Race {
  /// All that is told of the violation, but not how it is replayed.
  func timeline(width: Int = TwoColumns.width) -> String {
    Explorer.Explanation(violation, width: width).body
  }

  /// What it is, in a line.
  var headline: String { Explorer.Explanation(violation).headline }

  /// The invariant and the diagnosis: two races with the same are alike.
  var kind: String { "\(violation.invariant): \(violation.diagnosis?.name ?? "")" }

  /// What kind of race it is; the invariant's name if the trace doesn't prove a kind.
  var diagnosis: String { violation.diagnosis?.name ?? violation.invariant }

  var replayLine: String { "\nreplay: " + replayCommand }

  var replayCommand: String { ReplayCommand.line(file, scenario.name, variant.name, violation.token) }

  /// What else the variant violates; nil where that is all.
  var othersText: String? {
    others.isEmpty ? nil : "In one scenario or another it violates \(others.joined(separator: ", ")) too."
  }
}

extension SystemExplanation.Proof {
  /// Why it is thought to hold.
  var text: String {
    let tried =
      "It holds in \(report.schedules.counted("schedule")), \(report.behaviors.counted("behavior"))"
    let parts = report.holds ? [tried, report.coveredText].compactMap(\.self) : ["It does not hold"]
    return parts.joined(separator: "; ") + " (\(scenario))."
  }
}
