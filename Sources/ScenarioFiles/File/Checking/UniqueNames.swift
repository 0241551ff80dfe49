/// What a name in a file is the name of.
package enum NameKind: String, Sendable {
  case system
  case variant
  case action
  case fake
  case operation
  case reply
  case fault
  case setting
  case argument
  case invariant
  case strategy
  case steps = "kind of steps"
  case label
  case scenario
  case schema
  case format
  case tested = "part of the scenario that can be tested"
}

/// The names that have been given so far, where each may be given once.
struct UniqueNames {
  let kind: NameKind
  private var offsets: [String: Int] = [:]

  init(_ kind: NameKind) {
    self.kind = kind
  }

  /// Notes the name; where it stood first, if this is not the first time.
  mutating func claim(_ name: String, at offset: Int) -> Int? {
    if let first = offsets[name] { return first }
    offsets[name] = offset
    return nil
  }
}
