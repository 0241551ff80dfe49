import Foundation
import Mutator

/// Makes every small change of the catalog's hardened variants, each a branch of one build, runs the system's scenarios
/// against each, and tells which of them no scenario notices.
@main struct MutationTable {
  static func main() async throws {
    do {
      try await MutationTable(options: Options(CommandLine.arguments.dropFirst())).run()
    } catch let failure as Failure {
      FileHandle.standardError.write(Data("mutation-table: \(failure)\n".utf8))
      exit(2)
    }
  }

  let options: Options

  private func run() async throws {
    let systems = try CatalogSystem.all(in: options.package).filter {
      options.systems?.contains($0.folder) ?? true
    }
    guard !systems.isEmpty else { throw Failure(description: "no such system") }
    let files = try mutated(systems)
    if options.isList {
      for mutant in files.flatMap(\.mutants) {
        print(
          "\(mutant.number) \(mutant.file):\(mutant.line) \(mutant.function) \(mutant.mutation.rawValue): \(mutant.text)"
        )
      }
      return
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "mutation-table")
    let build = Build(package: options.package, copy: folder)
    let compiled = try await build.make(files) { print($0) }
    print("\(compiled.count) mutants compile")
    let verdicts = try Verdicts(
      options.verdicts, forgetting: options.forgotten, survivors: options.isForSurvivors)
    let drawn = options.drawn(from: compiled)
    if !options.isTableOnly { try await judge(drawn, of: systems, with: build, verdicts) }
    try await write(verdicts, of: Set(systems.map(\.folder)), drawn, compiled: Set(compiled.map(\.key)))
  }

  /// The files of `systems`, whose mutants are numbered from 1.
  private func mutated(_ systems: [CatalogSystem]) throws -> [MutatedFile] {
    var number = 0
    return try systems.flatMap(\.files).map { path in
      let text = try String(contentsOf: options.package.appending(path: path), encoding: .utf8)
      var file = MutatedFile(text, at: path)
      for place in file.mutants.indices {
        number += 1
        file.mutants[place].number = number
      }
      return file
    }
  }

  private func judge(
    _ mutants: [Mutant], of systems: [CatalogSystem], with build: Build, _ verdicts: Verdicts
  ) async throws {
    let files = try ScenarioFiles(of: build.copy, in: build.copy.appending(path: "judged"))
    for system in systems {
      for (variants, mutants) in await open(mutants, of: system, verdicts) {
        let judge = try await Judge(
          system, variants: variants, files: files, tool: build.tool, stories: options.stories,
          others: options.others)
        try await judged(mutants, by: judge, verdicts)
      }
    }
  }

  /// The mutants of `system` without a verdict, by the variants that they may change.
  private func open(
    _ mutants: [Mutant], of system: CatalogSystem, _ verdicts: Verdicts
  ) async -> [(Set<String>, [Mutant])] {
    let known = await verdicts.known
    let own = mutants.filter { system.files.contains($0.file) && known[$0.key] == nil }
    return Dictionary(grouping: own) { system.variants(of: $0.file) }
      .sorted { $0.key.sorted().joined() < $1.key.sorted().joined() }.map { ($0.key, $0.value) }
  }

  private func judged(_ mutants: [Mutant], by judge: Judge, _ verdicts: Verdicts) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (place, mutant) in mutants.enumerated() {
        if place >= options.jobs { try await group.next() }
        group.addTask {
          let verdict = try await judge.verdict(on: mutant.number)
          try await verdicts.add(
            Judged(system: judge.system.folder, line: mutant.line, key: mutant.key, verdict: verdict))
        }
      }
      try await group.waitForAll()
    }
  }

  /// What is known of other systems stays as it is.
  private func write(
    _ verdicts: Verdicts, of systems: Set<String>, _ drawn: [Mutant], compiled: Set<Mutant.Key>
  ) async throws {
    let lines = Dictionary(drawn.map { ($0.key, $0.line) }) { first, _ in first }
    let judged = await verdicts.known.values.filter { !systems.contains($0.system) || lines[$0.key] != nil }
      .map { Judged(system: $0.system, line: lines[$0.key] ?? $0.line, key: $0.key, verdict: $0.verdict) }
      .sorted {
        ($0.system, $0.key.file, $0.line, $0.key.mutation, $0.key.text)
          < ($1.system, $1.key.file, $1.line, $1.key.mutation, $1.key.text)
      }
    let equivalents = try Equivalents(options.package.appending(path: "Mutations/Equivalents.json"))
    let known = Set(judged.map(\.key))
    let open = drawn.count { !known.contains($0.key) }
    let table = Table(judged: judged, equivalents: equivalents, head: head + missing(open, of: drawn.count))
    if let markdown = options.markdown {
      try table.text.write(toFile: markdown, atomically: true, encoding: .utf8)
    }
    print(table.sum)
    let refuted = equivalents.refuted(by: judged, compiled: compiled, of: systems)
    guard refuted.isEmpty else {
      throw Failure(description: "no longer equivalent:\n\(refuted.joined(separator: "\n"))")
    }
  }

  private func missing(_ open: Int, of drawn: Int) -> String {
    open == 0 ? "" : "\n\nOf \(drawn) mutants that compile \(open) have no verdict yet, and are left out."
  }

  private var head: String {
    """
    # Mutations

    Small changes of the hardened variants, and whether `simrun --strict` or `simrun fuzz --strict` notices. Written by
    `swift run -c release --package-path Mutations mutation-table --markdown FILE`; `Mutations/README.md` says how it works.
    """
      + (options.sample.map {
        "\n\nA sample of \($0) mutants, seed \(options.seed), of all that compile."
      } ?? "")
  }
}
