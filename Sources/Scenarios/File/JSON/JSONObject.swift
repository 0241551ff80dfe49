/// The members between braces, in the order of the file; no two have the same name.
struct JSONObject: Equatable, Sendable {
  var members: [JSONMember] = []
  /// False when a broken member had to be left out: what seems to be missing may be that one.
  var isWhole = true
}

/// A key and its value.
struct JSONMember: Equatable, Sendable {
  let key: JSONKey
  let value: JSONNode
}

/// A member's name and the bytes it takes, quotes included.
struct JSONKey: Equatable, Sendable {
  let name: String
  let range: Range<Int>
}
