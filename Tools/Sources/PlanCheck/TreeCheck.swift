/// The tree of folders in PLAN.md, which is the code block that begins with `Sources/`, shows the folders that there are.
///
/// A line that begins with two spaces names the folder of a module, one that begins with four a folder in that module. Of a
/// module without such lines, and of a folder that is drawn, no more needs to be drawn.
public struct TreeCheck {
  private let sources: Sources
  private let drawn: [String]

  public init(sources: Sources, plan document: String) throws(Refusal) {
    self.sources = sources
    var drawn: [String] = []
    var module: String?
    for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
      guard module != nil else {
        if line.hasPrefix("Sources/") { module = "" }
        continue
      }
      guard line.hasPrefix("  ") else { break }
      if line.hasPrefix("    "), let folder = Self.folder(line.dropFirst(4)) {
        drawn.append("\(module ?? "")/\(folder)")
      } else if let folder = Self.folder(line.dropFirst(2)) {
        module = folder
        drawn.append(folder)
      }
    }
    guard !drawn.isEmpty else {
      throw Refusal("PLAN.md has no code block that begins with `Sources/`")
    }
    self.drawn = drawn
  }

  /// Returns the folder that a line names, if it begins with one.
  private static func folder(_ line: Substring) -> String? {
    guard let word = line.split(separator: " ").first, line.hasPrefix(word), word.hasSuffix("/") else {
      return nil
    }
    return String(word.dropLast())
  }

  public func outcome() -> Outcome {
    let folders = Set(
      sources.paths.compactMap { $0.lastIndex(of: "/").map($0.prefix(upTo:)) }.map(String.init))
    let gone = drawn.filter { place in !folders.contains { $0 == place || $0.hasPrefix("\(place)/") } }
    let divided = Set(drawn.filter { $0.contains("/") }.map { String($0.prefix { $0 != "/" }) })
    let unplanned = folders.sorted().filter { folder in
      let module = String(folder.prefix { $0 != "/" })
      if folder == module || !divided.contains(module) { return !drawn.contains(module) }
      return !drawn.contains { $0 != module && (folder == $0 || folder.hasPrefix("\($0)/")) }
    }
    return Outcome(
      findings: gone.map { Finding("PLAN.md draws Sources/\($0), which is not there") }
        + unplanned.map { Finding("Sources/\($0) is not drawn in PLAN.md") },
      proved: "PLAN.md draws all \(folders.count) folders")
  }
}
