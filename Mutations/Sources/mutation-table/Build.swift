import Foundation
import Mutator

/// A copy of the package in which every mutant is a branch.
struct Build {
  let package: URL
  /// Kept from one run to the next, so that only the catalog is compiled anew.
  let copy: URL

  var tool: String { copy.appending(path: ".build/release/simrun").path }

  /// Builds all of `files`; answers the mutants that compile.
  func make(_ files: [MutatedFile], _ tell: (String) -> Void) async throws -> [Mutant] {
    try copyPackage(except: Set(files.map(\.path)))
    var refusals = Refusals(in: copy)
    var left = files.flatMap { file in file.mutants.filter { !refusals.contains($0, of: file) } }
    while true {
      var lines: [String: [(Range<Int>, number: Int)]] = [:]
      for file in files {
        let changed = file.text(with: left.filter { $0.file == file.path })
        lines[file.path] = changed.lines
        try write(changed.text, to: file.path)
      }
      let refused = try await refusedLines()
      if refused.isEmpty { return left }
      var guilty: Set<Int> = []
      for (path, line) in refused {
        for (range, number) in lines[path] ?? [] where range.contains(line) { guilty.insert(number) }
      }
      guard !guilty.isEmpty else {
        let places = refused.map { "\($0.0):\($0.1)" }.joined(separator: ", ")
        throw Failure(description: "the build fails where nothing was changed: \(places)")
      }
      tell("\(left.count) mutants; \(guilty.count) do not compile")
      left.removeAll { guilty.contains($0.number) }
      for file in files { try refusals.note(file.mutants.filter { guilty.contains($0.number) }, of: file) }
    }
  }

  /// The places of the compiler's errors in the copy; none when all is well.
  private func refusedLines() async throws -> [(String, Int)] {
    let result = try await Command(
      arguments: ["swift", "build", "-c", "release", "--product", "simrun", "--package-path", copy.path]
    )
    .run(limit: 3600)
    guard result.status != 0 else { return [] }
    let places = result.text.split(separator: "\n").filter { $0.contains(": error:") }.compactMap { line in
      line.firstRange(of: copy.path + "/").flatMap { root -> (String, Int)? in
        let parts = line[root.upperBound...].split(separator: ":")
        return parts.count > 1 ? Int(parts[1]).map { (String(parts[0]), $0) } : nil
      }
    }
    guard !places.isEmpty else {
      throw Failure(description: "the build failed:\n\(result.text.suffix(4000))")
    }
    return places
  }

  private static let choice = """
    import Foundation

    /// Which mutant this process is; 0 is none.
    public enum Mutation {
      public static let chosen = ProcessInfo.processInfo.environment["MUTANT"].flatMap { Int($0) } ?? 0
      /// Not known to the compiler, so that it does not call code unreachable.
      static var never: Bool { chosen < 0 }
    }

    struct InventedError: Error {}

    """

  /// The choice is made before anything is simulated.
  private static let main = """
    import Catalog
    import Scenarios

    precondition(Mutation.chosen >= 0, "MUTANT is the number of a mutant")
    CommandLineTool.main(systems: CatalogSystems.all)

    """

  /// Whether a violation is minimal and what others a mutant shows is no matter here: a variant that is to hold is searched
  /// to its first violation. The original is searched to the end.
  private static let edits = [
    (
      "Sources/Scenarios/Running/ScenarioRunner.swift",
      "    let replayed = replays.map { replay($0, with: explorer) }\n",
      """
          if JudgedMutant.isChosen, expectation.violated.isEmpty { explorer.budget.violationsToFind = [] }
          explorer.budget.shrinkingExecutions = 0

      """
    )
  ]

  private static let judged = """
    import Foundation

    enum JudgedMutant {
      static let isChosen = ProcessInfo.processInfo.environment["MUTANT", default: "0"] != "0"
    }

    """

  private func copyPackage(except changed: Set<String>) throws {
    let root = package.standardizedFileURL.path
    var known: Set<String> = []
    for top in ["Package.swift", "Sources", "Tests", "scenarios.json", "scenarios"] {
      let below = (try? FileManager.default.subpathsOfDirectory(atPath: root + "/" + top)) ?? []
      for path in below.isEmpty ? [top] : below.map({ top + "/" + $0 }) {
        let source = URL(filePath: root + "/" + path)
        guard try source.resourceValues(forKeys: [.isDirectoryKey]).isDirectory != true else { continue }
        known.insert(path)
        if path == "Sources/simrun/main.swift" { continue }
        if !changed.contains(path) { try write(edited(Data(contentsOf: source), path), to: path) }
      }
    }
    try write(Self.choice, to: "Sources/Catalog/Mutation.swift")
    try write(Self.main, to: "Sources/simrun/main.swift")
    try write(Self.judged, to: "Sources/Scenarios/Running/JudgedMutant.swift")
    known.formUnion(["Sources/Catalog/Mutation.swift", "Sources/Scenarios/Running/JudgedMutant.swift"])
    for path in try FileManager.default.subpathsOfDirectory(atPath: copy.appending(path: "Sources").path)
    where path.hasSuffix(".swift") && !known.contains("Sources/" + path) {
      try FileManager.default.removeItem(at: copy.appending(path: "Sources/" + path))
    }
  }

  private func edited(_ data: Data, _ path: String) throws -> Data {
    guard let (_, place, more) = Self.edits.first(where: { $0.0 == path }) else { return data }
    let text = String(decoding: data, as: UTF8.self)
    guard let range = text.firstRange(of: place) else {
      throw Failure(
        description: "\(path) has no line “\(place.dropLast())”, before which the judge stops a search")
    }
    return Data((text[..<range.lowerBound] + more + text[range.lowerBound...]).utf8)
  }

  private func write(_ text: String, to path: String) throws { try write(Data(text.utf8), to: path) }

  /// A file that is the same already keeps its date, so that it is not compiled again.
  private func write(_ data: Data, to path: String) throws {
    let target = copy.appending(path: path)
    if (try? Data(contentsOf: target)) == data { return }
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: target, options: .atomic)
  }
}
