/// What the compiler wrote into its index about one source file.
struct IndexedFile {
  let path: String
  /// Nanoseconds since 1970 at which the compiler wrote the newest unit that the file is the main file of; nil for a
  /// header, which no unit is about.
  var indexed: Int?
  var occurrences: [Occurrence] = []
}

/// A place in a file where a symbol is declared, defined or used.
struct Occurrence {
  let symbol: Symbol
  let role: Role
  let line: Int
  let column: Int
  /// The type, extension or protocol that a defined symbol is a member of.
  var container: Symbol?

  enum Role { case declaration, definition, reference }
}

struct Symbol: Hashable {
  /// The compiler's name for it (*unified symbol resolution*): one in the whole program.
  let usr: String
  let name: String
}
