/// What a reader made of a text: as much of the tree as could be read, and all that is wrong with it.
package struct JSONDocument: Equatable, Sendable {
  package let root: JSONNode?
  let faults: [LocatedJSONFault]
}

/// A fault and the byte at which it shows.
struct LocatedJSONFault: Equatable, Sendable {
  let fault: JSONFault
  let offset: Int
}

/// How much a file may ask of its reader.
package struct JSONLimits: Sendable {
  package let bytes: Int
  /// Objects and lists inside each other. The reader calls itself once for each.
  var depth = 64
  /// After so many faults the text is hardly JSON, and the reader gives up.
  var faults = 100

  package init(bytes: Int = 8 << 20) { self.bytes = bytes }
}
