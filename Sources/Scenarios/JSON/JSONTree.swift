/// JSON to be written; objects keep the order in which they were built.
enum JSONTree: Equatable, Sendable {
  case bool(Bool)
  case integer(Int)
  case unsigned(UInt64)
  case string(String)
  case array([JSONTree])
  case object([Member])

  /// A key and its value.
  struct Member: Equatable, Sendable {
    let key: String
    let value: JSONTree
  }

  /// A list of texts.
  static func strings(_ texts: [String]) -> JSONTree { .array(texts.map { .string($0) }) }

  /// The members of an object; none of anything else.
  var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  /// An object with the members of both.
  func with(_ other: JSONTree) -> JSONTree { .object(members + other.members) }
}

extension JSONTree: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  init(dictionaryLiteral elements: (String, JSONTree)...) {
    self = .object(elements.map { Member(key: $0, value: $1) })
  }

  init(arrayLiteral elements: JSONTree...) {
    self = .array(elements)
  }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .integer(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
}
