import ScenarioFiles

/// Adds schedules to the text of a scenario file, in that text's own style; every other byte stays as it is.
struct ReplayInsertion {
  private let style: ScenarioText

  /// The text of `source` with `additions`, which belong to its scenarios.
  static func adding(
    _ additions: [RecordedSchedule], to source: Recording.Source
  ) throws(RecordingFault) -> [UInt8] {
    let root = JSONReader.read(source.bytes).root
    var edits: [TextEdit] = []
    for name in additions.map(\.scenario).unique {
      guard let node = root?.scenario(name), let object = node.object, !object.members.isEmpty else {
        throw .lostScenario(name, file: source.file)
      }
      let own = additions.filter { $0.scenario == name }
      let tokens = own.map(\.variant).unique.map { variant in
        Tokens(variant: variant, tokens: own.filter { $0.variant == variant }.map(\.token).unique)
      }
      edits += ReplayInsertion(style: ScenarioText(source.bytes, object)).edits(object, tokens)
    }
    return TextEdit.apply(edits, to: source.bytes)
  }

  private struct Tokens {
    let variant: String
    let tokens: [String]
  }

  private func edits(_ scenario: JSONObject, _ additions: [Tokens]) -> [TextEdit] {
    guard let replays = scenario.members.first(where: { $0.key.name == "replays" })?.value else {
      let members = additions.map(member).joined(separator: ", ")
      return [style.after(scenario.members, "\"replays\"\(style.colon)\(style.braced(members))")]
    }
    guard let variants = replays.object, !variants.members.isEmpty else {
      let members = additions.map(member).joined(separator: ", ")
      return [TextEdit(range: replays.range, text: style.braced(members))]
    }
    let known = additions.flatMap { addition -> [TextEdit] in
      let list = variants.members.first { $0.key.name == addition.variant }?.value
      return list.map { [appending(addition.tokens, to: $0)] } ?? []
    }
    let fresh = additions.filter { addition in
      !variants.members.contains { $0.key.name == addition.variant }
    }
    let separator = style.gap(variants.members)
    let text = fresh.map { separator + member($0) }.joined()
    let end = variants.members[variants.members.count - 1].value.range.upperBound
    return known + (fresh.isEmpty ? [] : [TextEdit(range: end..<end, text: text)])
  }

  private func member(_ addition: Tokens) -> String {
    let tokens = addition.tokens.map(JSONTree.quoted).joined(separator: ", ")
    return "\(JSONTree.quoted(addition.variant))\(style.colon)\(style.bracketed(tokens))"
  }

  /// After the last token, in the manner of those before it; on a line of its own where the first is.
  private func appending(_ tokens: [String], to list: JSONNode) -> TextEdit {
    guard case .array(let array) = list.value, let last = array.elements.last else {
      return TextEdit(
        range: list.range,
        text: style.bracketed(tokens.map(JSONTree.quoted).joined(separator: ", ")))
    }
    let lead = style.text(list.range.lowerBound + 1..<array.elements[0].range.lowerBound)
    var separator = lead.utf8.contains(.lineFeed) || lead.utf8.contains(.carriageReturn) ? "," + lead : ", "
    if array.elements.count > 1 {
      separator = style.text(
        array.elements[array.elements.count - 2].range.upperBound..<last.range.lowerBound)
    }
    let end = last.range.upperBound
    return TextEdit(range: end..<end, text: tokens.map { separator + JSONTree.quoted($0) }.joined())
  }
}
