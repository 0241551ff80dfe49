/// JSON to be written; objects keep the order in which they were built.
package enum JSONTree: Equatable, Sendable {
  case bool(Bool)
  case integer(Int)
  case unsigned(UInt64)
  case string(String)
  case array([JSONTree])
  case object([Member])

  /// A key and its value.
  package struct Member: Equatable, Sendable {
    package let key: String
    package let value: JSONTree

    package init(key: String, value: JSONTree) {
      (self.key, self.value) = (key, value)
    }
  }

  /// A list of texts.
  package static func strings(_ texts: [String]) -> JSONTree { .array(texts.map { .string($0) }) }

  /// The members of an object; none of anything else.
  package var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  /// An object with the members of both.
  package func with(_ other: JSONTree) -> JSONTree { .object(members + other.members) }
}

extension JSONTree: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  package init(dictionaryLiteral elements: (String, JSONTree)...) {
    self = .object(elements.map { Member(key: $0, value: $1) })
  }

  package init(arrayLiteral elements: JSONTree...) {
    self = .array(elements)
  }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

// MARK: - Reading

extension JSONTree {
  /// Reads `bytes`; nil if they are not JSON, or have what no tree holds: a fraction, or null.
  package init?(reading bytes: [UInt8], limit: Int) {
    let document = JSONReader.read(bytes, limits: JSONLimits(bytes: limit))
    guard document.faults.isEmpty, let root = document.root, let tree = JSONTree(root) else { return nil }
    self = tree
  }

  private init?(_ node: JSONNode) {
    switch node.value {
    case .bool(let value): self = .bool(value)
    case .number(let number):
      if let value = number.whole(as: Int.self) {
        self = .integer(value)
      } else if let value = number.whole(as: UInt64.self) {
        self = .unsigned(value)
      } else {
        return nil
      }
    case .string(let text): self = .string(text)
    case .array(let array):
      let elements = array.elements.compactMap { JSONTree($0) }
      guard elements.count == array.elements.count else { return nil }
      self = .array(elements)
    case .object(let object):
      let members = object.members.compactMap { member in
        JSONTree(member.value).map { Member(key: member.key.name, value: $0) }
      }
      guard members.count == object.members.count else { return nil }
      self = .object(members)
    case .null, .unreadable: return nil
    }
  }

  /// The value of a key of an object; nil if there is none.
  package subscript(key: String) -> JSONTree? { members.first { $0.key == key }?.value }

  /// Returns the path to the first place at which another tree says something else; nil if there is none. The order of
  /// members does not matter.
  package func difference(from other: JSONTree) -> [String]? {
    switch (self, other) {
    case (.array(let own), .array(let others)) where own.count == others.count:
      for (index, (one, two)) in zip(own, others).enumerated() {
        if let path = one.difference(from: two) { return ["\(index)"] + path }
      }
      return nil
    case (.object(let own), .object(let others)):
      for member in own {
        guard let value = other[member.key] else { return [member.key] }
        if let path = member.value.difference(from: value) { return [member.key] + path }
      }
      return others.first { self[$0.key] == nil }.map { [$0.key] }
    default: return self == other ? nil : []
    }
  }
}
