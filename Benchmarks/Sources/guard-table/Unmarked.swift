import Foundation

/// Files of hardened variants with lines that their naive ones lack and that are no guards, and no word of why not.
enum Unmarked {
  /// What a comment at the end of such a file begins with.
  static let word = "// Not guards: "

  /// Relative to the catalog of `package`, in order.
  static func unexplained(in package: URL) throws -> [String] {
    let catalog = package.appending(path: "Sources/Catalog")
    let files = try FileManager.default.subpathsOfDirectory(atPath: catalog.path).sorted()
    return try files.filter { path in
      let parts = path.split(separator: "/")
      guard parts.count == 2, parts[1].hasPrefix("Hardened") else { return false }
      let naive = files.filter { $0.hasPrefix("\(parts[0])/Naive") }
      let known = Set(try naive.flatMap { try code($0, in: catalog) })
      if known.isSuperset(of: try code(path, in: catalog)) { return false }
      return try !String(contentsOf: catalog.appending(path: path), encoding: .utf8).contains(word)
    }
  }

  /// The lines that say something, under the same name in every variant, without the guards.
  private static func code(_ path: String, in catalog: URL) throws -> [String] {
    try String(contentsOf: catalog.appending(path: path), encoding: .utf8).split(separator: "\n")
      .filter { !$0.contains(Guard.mark) }
      .map { line in
        line.trimmingCharacters(in: .whitespaces).replacing(#/Naive|Hardened/#, with: "")
      }
      .filter { !$0.hasPrefix("//") && $0.contains(where: \.isLetter) }
  }
}
