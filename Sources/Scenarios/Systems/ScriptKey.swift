/// The words that stand in a file for what is left open.
enum ScriptWord {
  static let anything = "anything"
}

/// The keys of a script line that do not come from a descriptor.
enum ScriptKey: String, CaseIterable {
  case `do`
  case cancel
  case label = "as"
  case times
  case at
  case actions
  case atMost
  case cancels
}
