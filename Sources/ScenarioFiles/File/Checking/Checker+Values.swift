extension Checker {
  /// Says what was found instead; a value that could not be read has been reported already.
  mutating func wrongType(_ node: JSONNode, allowed: String) {
    if node.value != .unreadable { report(.wrongType(found: node.found, allowed: allowed), at: node) }
  }

  /// Like `wrongType`, with a better sentence for a list.
  private mutating func notFixed(_ node: JSONNode, allowed: String) {
    if case .array = node.value {
      report(.onlyFixed(allowed: allowed), at: node)
    } else {
      wrongType(node, allowed: allowed)
    }
  }

  mutating func string(_ node: JSONNode, allowed: String = "a text in quotes") -> String? {
    guard case .string(let text) = node.value else {
      notFixed(node, allowed: allowed)
      return nil
    }
    return text
  }

  mutating func bool(_ node: JSONNode) -> Bool? {
    guard case .bool(let truth) = node.value else {
      notFixed(node, allowed: "true or false")
      return nil
    }
    return truth
  }

  mutating func integer<Integer: FixedWidthInteger>(
    _ node: JSONNode, in bounds: ClosedRange<Integer>
  ) -> Integer? {
    guard case .number(let number) = node.value else {
      notFixed(node, allowed: Self.wholeNumber(in: bounds))
      return nil
    }
    guard let whole = number.whole(as: Integer.self), bounds.contains(whole) else {
      let found = Echo.plain(number.literal, limit: 40)
      if number.literal.contains(".") {
        wrongType(node, allowed: Self.wholeNumber(in: bounds))
        return nil
      }
      report(.outOfRange(found: found, low: "\(bounds.lowerBound)", high: "\(bounds.upperBound)"), at: node)
      return nil
    }
    return whole
  }

  private static func wholeNumber(in bounds: ClosedRange<some FixedWidthInteger>) -> String {
    let (low, high) = (bounds.lowerBound, bounds.upperBound)
    return low == high ? "\(low)" : "a whole number from \(low) to \(high)"
  }

  /// One of the names that are allowed here. A `former` name counts as the one that replaced it, and is noted.
  mutating func name(
    _ node: JSONNode, _ kind: NameKind, allowed: [String], former: [String: String] = [:]
  ) -> String? {
    guard let name = string(node, allowed: "\(kind.choice): \(Echo.list(allowed))") else { return nil }
    if let current = former[name] {
      note(name, now: current, at: node.range)
      return current
    }
    guard allowed.contains(name) else {
      report(.unknownName(kind, name, allowed: allowed), at: node)
      return nil
    }
    return name
  }

  /// A name that the file gives itself.
  mutating func plainName(_ node: JSONNode, _ kind: NameKind) -> String? {
    guard let name = string(node, allowed: "\(kind.withArticle)'s name in quotes") else { return nil }
    if !PlainName.admits(name) { report(.badName(kind, name), at: node) }
    return name
  }

  /// The elements of a list that is not empty; none when it is missing. An error says what may be there `instead` of an
  /// entry.
  mutating func list(
    _ node: JSONNode?, _ owner: String, instead: String? = "leave it out"
  ) -> [JSONNode] {
    guard let node else { return [] }
    guard case .array(let array) = node.value else {
      wrongType(node, allowed: "a list, [ … ]")
      return []
    }
    if array.elements.isEmpty && array.isWhole {
      report(.emptyList(owner: owner, instead: instead), at: node)
    }
    return array.elements
  }

  mutating func parameter(_ node: JSONNode, _ kind: ParameterKind) -> ParameterValue? {
    switch kind {
    case .string: string(node, allowed: kind.allowed).map { .string($0) }
    case .integer(let bounds): integer(node, in: bounds).map { .integer($0) }
    case .duration: duration(node).map { .duration($0) }
    case .bool: bool(node).map { .bool($0) }
    }
  }
}

extension NameKind {
  /// The beginning of a list of what may be there.
  fileprivate var choice: String {
    switch self {
    case .steps, .tested: "one of these"
    default: "the name of \(withArticle)"
    }
  }

  var withArticle: String {
    "aio".contains(rawValue.prefix(1)) ? "an \(rawValue)" : "a \(rawValue)"
  }
}

extension JSONNode {
  /// What it is, as an error says it.
  var found: String {
    switch value {
    case .null: "null"
    case .bool(let truth): "\(truth)"
    case .number(let number): Echo.plain(number.literal, limit: 40)
    case .string(let text): Echo.quoted(text)
    case .array: "a list"
    case .object: "an object"
    case .unreadable: "nothing readable"
    }
  }
}
