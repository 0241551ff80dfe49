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
