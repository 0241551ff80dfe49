/// The values between brackets.
struct JSONArray: Equatable, Sendable {
  var elements: [JSONNode] = []
  /// False when a broken element had to be left out: what seems to be missing may stand in it.
  var isWhole = true
}
