/// Adds schedules to the text of a scenario file, in that text's own style; every other byte stays as it is.
struct ReplayInsertion {
  private let bytes: [UInt8]
  private let style: Style

  /// The text of `source` with `additions`, which belong to its scenarios.
  static func adding(
    _ additions: [RecordedSchedule], to source: Recording.Source
  ) throws(RecordingFault) -> [UInt8] {
    let root = JSONReader.read(source.bytes).root
    var edits: [Edit] = []
    for name in additions.map(\.scenario).unique {
      guard let node = root?.scenario(name), let object = node.object, !object.members.isEmpty else {
        throw .lostScenario(name, file: source.file)
      }
      let own = additions.filter { $0.scenario == name }
      let tokens = own.map(\.variant).unique.map { variant in
        Tokens(variant: variant, tokens: own.filter { $0.variant == variant }.map(\.token).unique)
      }
      edits += ReplayInsertion(bytes: source.bytes, style: Style(source.bytes, object)).edits(
        object, tokens)
    }
    return Edit.apply(edits, to: source.bytes)
  }

  private struct Tokens {
    let variant: String
    let tokens: [String]
  }

  private func edits(_ scenario: JSONObject, _ additions: [Tokens]) -> [Edit] {
    guard let replays = scenario.members.first(where: { $0.key.name == "replays" })?.value else {
      let members = additions.map(member).joined(separator: ", ")
      return [after(scenario.members, "\"replays\"\(style.colon)\(style.braced(members))")]
    }
    guard let variants = replays.object, !variants.members.isEmpty else {
      let members = additions.map(member).joined(separator: ", ")
      return [Edit(range: replays.range, text: style.braced(members))]
    }
    let known = additions.flatMap { addition -> [Edit] in
      let list = variants.members.first { $0.key.name == addition.variant }?.value
      return list.map { [appending(addition.tokens, to: $0)] } ?? []
    }
    let fresh = additions.filter { addition in
      !variants.members.contains { $0.key.name == addition.variant }
    }
    let separator = gap(variants.members, default: ", ")
    let text = fresh.map { separator + member($0) }.joined()
    let end = variants.members[variants.members.count - 1].value.range.upperBound
    return known + (fresh.isEmpty ? [] : [Edit(range: end..<end, text: text)])
  }

  private func member(_ addition: Tokens) -> String {
    let tokens = addition.tokens.map(JSONTree.quoted).joined(separator: ", ")
    return "\(JSONTree.quoted(addition.variant))\(style.colon)\(style.bracketed(tokens))"
  }

  private func after(_ members: [JSONMember], _ text: String) -> Edit {
    let end = members[members.count - 1].value.range.upperBound
    return Edit(range: end..<end, text: gap(members, default: ", ") + text)
  }

  /// After the last token, in the manner of those before it; on a line of its own where the first is.
  private func appending(_ tokens: [String], to list: JSONNode) -> Edit {
    guard case .array(let array) = list.value, let last = array.elements.last else {
      return Edit(
        range: list.range,
        text: style.bracketed(tokens.map(JSONTree.quoted).joined(separator: ", ")))
    }
    let lead = text(list.range.lowerBound + 1..<array.elements[0].range.lowerBound)
    var separator = lead.utf8.contains(.lineFeed) || lead.utf8.contains(.carriageReturn) ? "," + lead : ", "
    if array.elements.count > 1 {
      separator = text(
        array.elements[array.elements.count - 2].range.upperBound..<last.range.lowerBound)
    }
    let end = last.range.upperBound
    return Edit(range: end..<end, text: tokens.map { separator + JSONTree.quoted($0) }.joined())
  }

  /// What stands between the last two members: a comma and blanks.
  private func gap(_ members: [JSONMember], default gap: String) -> String {
    guard members.count > 1 else { return gap }
    let last = members.count - 1
    return text(members[last - 1].value.range.upperBound..<members[last].key.range.lowerBound)
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

// MARK: - Style

/// How a text sets its colons and brackets.
private struct Style {
  /// What stands between a key and its value.
  let colon: String
  private let brace: String
  private let bracket: String

  init(_ bytes: [UInt8], _ scenario: JSONObject) {
    let member = scenario.members[scenario.members.count - 1]
    colon = String(
      decoding: bytes[member.key.range.upperBound..<member.value.range.lowerBound], as: UTF8.self)
    let inner = scenario.members.flatMap(\.value.withInner)
    let braces = inner.filter { $0.object != nil }.lazy.compactMap { $0.isPadded(in: bytes) }.first
    let brackets = inner.filter { $0.object == nil }.lazy.compactMap { $0.isPadded(in: bytes) }.first
    brace = braces ?? brackets ?? true ? " " : ""
    bracket = brackets ?? braces ?? true ? " " : ""
  }

  func braced(_ text: String) -> String { "{\(brace)\(text)\(brace)}" }
  func bracketed(_ text: String) -> String { "[\(bracket)\(text)\(bracket)]" }
}

extension JSONNode {
  /// Whether there is a blank behind its opening bracket; nil where there is no bracket with something behind
  /// it on its line.
  fileprivate func isPadded(in bytes: [UInt8]) -> Bool? {
    switch value {
    case .array(let array) where !array.elements.isEmpty: break
    case .object(let object) where !object.members.isEmpty: break
    default: return nil
    }
    switch bytes[range.lowerBound + 1] {
    case .space: return true
    case .lineFeed, .carriageReturn, .tab: return nil
    default: return false
    }
  }

  /// Itself and all that stands in it.
  fileprivate var withInner: [JSONNode] {
    switch value {
    case .array(let array): [self] + array.elements.flatMap(\.withInner)
    case .object(let object): [self] + object.members.flatMap(\.value.withInner)
    default: [self]
    }
  }

  fileprivate var object: JSONObject? {
    if case .object(let object) = value { object } else { nil }
  }

  /// The scenario `name` of a scenario file.
  fileprivate func scenario(_ name: String) -> JSONNode? {
    guard let list = object?.members.first(where: { $0.key.name == "scenarios" })?.value,
      case .array(let scenarios) = list.value
    else { return nil }
    return scenarios.elements.first { scenario in
      scenario.object?.members.contains { $0.key.name == "name" && $0.value.value == .string(name) } ?? false
    }
  }
}

// MARK: - Edits

/// Bytes that are replaced; an empty range is a place to insert at.
private struct Edit {
  let range: Range<Int>
  let text: String

  static func apply(_ edits: [Edit], to bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(edit.range, with: edit.text.utf8)
    }
    return bytes
  }
}
