import ScenarioFiles

/// The text of one scenario in its file, and how it sets its colons and brackets.
struct ScenarioText {
  private let bytes: [UInt8]
  /// What stands between a key and its value.
  let colon: String
  private let brace: String
  private let bracket: String

  init(_ bytes: [UInt8], _ scenario: JSONObject) {
    self.bytes = bytes
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

  /// One member more, behind these.
  func after(_ members: [JSONMember], _ text: String) -> TextEdit {
    let end = members[members.count - 1].value.range.upperBound
    return TextEdit(range: end..<end, text: gap(members) + text)
  }

  /// What stands between the last two members: a comma and blanks.
  func gap(_ members: [JSONMember]) -> String {
    guard members.count > 1 else { return ", " }
    let last = members.count - 1
    return text(members[last - 1].value.range.upperBound..<members[last].key.range.lowerBound)
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
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

  var object: JSONObject? {
    if case .object(let object) = value { object } else { nil }
  }

  /// The scenario `name` of a scenario file.
  func scenario(_ name: String) -> JSONNode? {
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
struct TextEdit {
  let range: Range<Int>
  let text: String

  static func apply(_ edits: [TextEdit], to bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(edit.range, with: edit.text.utf8)
    }
    return bytes
  }
}
