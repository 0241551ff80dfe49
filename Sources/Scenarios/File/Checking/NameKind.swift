/// What a name in a file is the name of.
enum NameKind: String, Sendable {
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
  case label
  case scenario
  case schema
  case format
}
