/// The words of a file that no descriptor may have for something else.
enum ScriptWord {
  /// What is left open.
  static let anything = "anything"
  /// When there is no connection.
  static let offline = "offline"
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
