/// How much a file may ask of its reader.
struct JSONLimits: Sendable {
  var bytes = 8 << 20
  /// Objects and lists inside each other. The reader calls itself once for each.
  var depth = 64
  /// After so many faults the text is hardly JSON, and the reader gives up.
  var faults = 100
}
