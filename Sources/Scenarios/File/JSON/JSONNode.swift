/// A value where it stands in the file.
///
/// `range` counts bytes, from the value's first to after its last, so that a tool may replace the value and keep
/// every other byte of the file.
struct JSONNode: Equatable, Sendable {
  let value: JSONValue
  let range: Range<Int>
}

/// What a value is.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array(JSONArray)
  case object(JSONObject)
  /// Stood here and could not be read; its fault has been reported, so nobody needs to complain again.
  case unreadable
}
