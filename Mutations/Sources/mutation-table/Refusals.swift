import Foundation
import Mutator

/// The mutants that the compiler has refused in earlier runs, so that it is not asked again while their file is the same.
struct Refusals {
  private let file: URL
  private var known: [String: Entry]

  private struct Entry: Codable {
    let source: String
    var keys: Set<Mutant.Key>
  }

  init(in copy: URL) {
    file = copy.appending(path: "refused.json")
    known = (try? JSONDecoder().decode([String: Entry].self, from: Data(contentsOf: file))) ?? [:]
  }

  func contains(_ mutant: Mutant, of file: MutatedFile) -> Bool {
    guard let entry = known[file.path], entry.source == file.source else { return false }
    return entry.keys.contains(mutant.key)
  }

  mutating func note(_ mutants: [Mutant], of file: MutatedFile) throws {
    if mutants.isEmpty { return }
    var entry = Entry(source: file.source, keys: [])
    if let known = known[file.path], known.source == file.source { entry = known }
    entry.keys.formUnion(mutants.map(\.key))
    known[file.path] = entry
    try JSONEncoder().encode(known).write(to: self.file, options: .atomic)
  }
}
