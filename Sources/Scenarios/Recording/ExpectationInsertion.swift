import ScenarioFiles

/// Writes what variants were seen to do into the text of a scenario file, in that text's own style; every other byte stays as
/// it is.
struct ExpectationInsertion {
  /// What one scenario is to say.
  struct Addition: Equatable {
    let scenario: String
    let outcomes: [SeenOutcome]
  }

  private let style: ScenarioText

  /// The text of `source` with `additions`, which belong to its scenarios. Where a variant has an expectation, it is
  /// replaced.
  static func adding(
    _ additions: [Addition], to source: Recording.Source
  ) throws(RecordingFault) -> [UInt8] {
    let root = JSONReader.read(source.bytes).root
    var edits: [TextEdit] = []
    for addition in additions where !addition.outcomes.isEmpty {
      let object = root?.scenario(addition.scenario)?.object
      guard let object, !object.members.isEmpty else {
        throw .lostScenario(addition.scenario, file: source.file)
      }
      edits += ExpectationInsertion(style: ScenarioText(source.bytes, object))
        .edits(object, addition.outcomes)
    }
    return TextEdit.apply(edits, to: source.bytes)
  }

  /// What stands behind the expectations, where a person writes them.
  private static let last = ["untested", "replays"]

  private func edits(_ scenario: JSONObject, _ outcomes: [SeenOutcome]) -> [TextEdit] {
    let all = outcomes.map(member).joined(separator: ", ")
    guard let expect = scenario.members.first(where: { $0.key.name == "expect" })?.value else {
      let text = "\"expect\"\(style.colon)\(style.braced(all))"
      let end = scenario.members.lastIndex { !Self.last.contains($0.key.name) }
      return [style.after(Array(scenario.members[...(end ?? scenario.members.count - 1)]), text)]
    }
    guard let variants = expect.object, !variants.members.isEmpty else {
      return [TextEdit(range: expect.range, text: style.braced(all))]
    }
    let known = outcomes.compactMap { outcome in
      variants.members.first { $0.key.name == outcome.variant }
        .map { TextEdit(range: $0.value.range, text: value(outcome)) }
    }
    let fresh = outcomes.filter { outcome in
      !variants.members.contains { $0.key.name == outcome.variant }
    }
    let separator = style.gap(variants.members)
    let end = variants.members[variants.members.count - 1].value.range.upperBound
    let text = fresh.map { separator + member($0) }.joined()
    return known + (fresh.isEmpty ? [] : [TextEdit(range: end..<end, text: text)])
  }

  private func member(_ outcome: SeenOutcome) -> String {
    "\(JSONTree.quoted(outcome.variant))\(style.colon)\(value(outcome))"
  }

  private func value(_ outcome: SeenOutcome) -> String {
    switch outcome.outcome {
    case .holds: "\"holds\""
    case .testsNothing: JSONTree.quoted(Expectation.testsNothing)
    case .violates(let names): style.bracketed(names.map(JSONTree.quoted).joined(separator: ", "))
    }
  }
}
