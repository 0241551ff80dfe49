import Foundation

/// A system of the catalog, as far as its hardened variants go.
struct CatalogSystem: Sendable {
  /// Its folder.
  let folder: String
  /// As its descriptor calls it.
  let name: String
  /// The files that are mutated, relative to the root of the package: those called `Hardened…`, and those of whose types
  /// only such files speak.
  let files: [String]
  /// The hardened variants that a file may change: those that the system makes of a type that the file declares, or all.
  let variants: [String: Set<String>]
  /// All hardened variants: those that the system makes of a type called `Hardened…`, and `hardened` itself.
  let hardened: Set<String>

  /// Every system of the catalog in `package` that has a hardened variant.
  static func all(in package: URL) throws -> [CatalogSystem] {
    let root = package.appending(path: "Sources/Catalog")
    return try FileManager.default.contentsOfDirectory(atPath: root.path).sorted().compactMap { folder in
      var sources: [String: String] = [:]
      for part in ["Catalog", "CatalogInSwift5"] {
        let path = "Sources/\(part)/\(folder)"
        let names =
          (try? FileManager.default.contentsOfDirectory(atPath: package.appending(path: path).path)) ?? []
        for name in names where name.hasSuffix(".swift") {
          sources["\(path)/\(name)"] = try String(
            contentsOf: package.appending(path: "\(path)/\(name)"), encoding: .utf8)
        }
      }
      return CatalogSystem(folder, sources)
    }
  }

  private init?(_ folder: String, _ sources: [String: String]) {
    let named = sources.keys.filter { $0.split(separator: "/").last?.hasPrefix("Hardened") == true }
    let match = sources.values.lazy.compactMap { $0.firstMatch(of: #/SystemDescriptor\(\s*"([a-z-]+)"/#) }
      .first
    guard let match, let maker = sources["Sources/Catalog/\(folder)/\(folder).swift"], !named.isEmpty else {
      return nil
    }
    self.folder = folder
    name = String(match.1)
    let files = Self.withWhatOnlyTheyUse(Set(named), sources).sorted()
    var variants: [String: Set<String>] = [:]
    for file in files {
      let types = Self.types(in: sources[file] ?? "").filter { $0.hasPrefix("Hardened") }
      for part in maker.split(separator: "case \"").dropFirst()
      where types.contains(where: { part.contains("\($0)(") }) {
        variants[file, default: []].insert(String(part.prefix { $0 != "\"" }))
      }
    }
    self.files = files
    hardened = variants.values.reduce(["hardened"]) { $0.union($1) }
    self.variants = variants
  }

  func variants(of file: String) -> Set<String> { variants[file] ?? hardened }

  private static func withWhatOnlyTheyUse(_ named: Set<String>, _ sources: [String: String]) -> Set<String> {
    var files = named
    while true {
      let more = sources.keys.filter { path in
        let types = types(in: sources[path] ?? "")
        guard !files.contains(path), !types.isEmpty else { return false }
        let speakers = sources.filter { other in
          other.key != path && types.contains { other.value.contains(word: $0) }
        }
        return !speakers.isEmpty && speakers.keys.allSatisfy(files.contains)
      }
      if more.isEmpty { return files }
      files.formUnion(more)
    }
  }

  private static func types(in source: String) -> [String] {
    source.matches(of: #/(?m)^[^\/\n]*\b(?:class|actor|struct|enum|protocol)\s+([A-Z]\w*)/#).map {
      String($0.1)
    }
  }
}

extension String {
  /// Whether it says `word`, outside of comments.
  fileprivate func contains(word: String) -> Bool {
    split(separator: "\n").contains { line in
      let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      return code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == word }
    }
  }
}
