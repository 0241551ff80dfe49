/// Which file defines a symbol.
struct Definitions {
  struct Definition {
    let path: String
    let symbol: Symbol
    let container: Symbol?
  }

  private var byUSR: [String: Definition] = [:]
  /// How the names of the package's own Swift symbols begin.
  private let ownPrefixes: [String]

  init(_ files: [String: IndexedFile], modules: Set<String>) {
    ownPrefixes = modules.sorted().map { "s:\($0.utf8.count)\($0)" }
    // Definitions win over the declarations of a header.
    for role in [Occurrence.Role.declaration, .definition] {
      for (path, file) in files.sorted(by: { $0.key < $1.key }) {
        for occurrence in file.occurrences where occurrence.role == role {
          byUSR[occurrence.symbol.usr] = Definition(
            path: path, symbol: occurrence.symbol, container: occurrence.container)
        }
      }
    }
  }

  /// How a message names a symbol: with the type that it is a member of.
  func name(of definition: Definition) -> String {
    let name = definition.symbol.name
    guard let container = definition.container else { return name }
    if Self.accessors.contains(where: name.hasPrefix), let property = byUSR[container.usr] {
      return self.name(of: property)
    }
    return "\(container.name).\(name)"
  }

  private static let accessors = ["getter:", "setter:", "read:", "modify:", "willSet:", "didSet:"]

  /// Nil for what another package or the toolchain defines.
  func definition(of symbol: Symbol) throws(Refusal) -> Definition? {
    if let known = byUSR[symbol.usr] { return known }
    guard ownPrefixes.contains(where: symbol.usr.hasPrefix) else { return nil }
    // What the compiler writes itself, such as a memberwise initializer, has no definition in the index. Its name begins
    // with that of the type that it belongs to.
    var type = symbol.usr[...]
    while type.utf8.count > 2 {
      if let known = byUSR[String(type)] { return known }
      type.removeLast()
    }
    throw Refusal("\(symbol.name) (\(symbol.usr)) is used, but the index does not know where it is defined")
  }
}
