/// What a reader made of a text: as much of the tree as could be read, and all that is wrong with it.
struct JSONDocument: Equatable, Sendable {
  let root: JSONNode?
  let faults: [LocatedJSONFault]
}

/// A fault and the byte at which it shows.
struct LocatedJSONFault: Equatable, Sendable {
  let fault: JSONFault
  let offset: Int
}
