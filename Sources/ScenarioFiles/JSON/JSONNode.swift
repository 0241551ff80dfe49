/// A value where it stands in the file.
///
/// `range` counts bytes, from the value's first to after its last, so that a tool may replace the value and
/// keep every other byte of the file.
package struct JSONNode: Equatable, Sendable {
  package let value: JSONValue
  package let range: Range<Int>
}

/// What a value is.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array(JSONArray)
  case object(JSONObject)
  /// A value stood here and could not be read; its fault has been reported already.
  case unreadable
}

/// A number as written; no digit of it is lost to rounding.
package struct JSONNumber: Equatable, Sendable {
  let literal: String

  /// The number, when it is written without fraction or exponent and `Integer` can hold it.
  func whole<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
    Integer(literal)
  }
}

/// The values between brackets.
package struct JSONArray: Equatable, Sendable {
  package var elements: [JSONNode] = []
  /// False when a broken element had to be left out: what seems to be missing may stand in it.
  var isWhole = true
}

/// The members between braces, in the order of the file; no two have the same name.
package struct JSONObject: Equatable, Sendable {
  package var members: [JSONMember] = []
  /// False when a broken member had to be left out: what seems to be missing may be that one.
  var isWhole = true
}

/// A key and its value.
package struct JSONMember: Equatable, Sendable {
  package let key: JSONKey
  package let value: JSONNode
}

/// A member's name and the bytes it takes, quotes included.
package struct JSONKey: Equatable, Sendable {
  package let name: String
  package let range: Range<Int>
}
