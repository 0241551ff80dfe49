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
