import Foundation
import Mutator

/// Mutants that nobody can tell from the original, each with its proof.
struct Equivalents {
  private let proofs: [Mutant.Key: String]

  /// Reads a file of entries; without one there are none.
  init(_ file: URL) throws {
    guard FileManager.default.fileExists(atPath: file.path) else {
      proofs = [:]
      return
    }
    let entries = try JSONDecoder().decode([Entry].self, from: Data(contentsOf: file))
    proofs = Dictionary(entries.map { ($0.key, $0.proof) }) { first, _ in first }
  }

  private struct Entry: Decodable {
    let key: Mutant.Key
    let proof: String

    init(from decoder: any Decoder) throws {
      key = try Mutant.Key(from: decoder)
      proof = try decoder.container(keyedBy: Name.self).decode(String.self, forKey: .proof)
    }

    private enum Name: String, CodingKey { case proof }
  }

  func contains(_ key: Mutant.Key) -> Bool { proofs[key] != nil }

  /// Entries about which the run says otherwise: the mutant was killed, or does not exist in `systems`, which were built.
  func refuted(by judged: [Judged], compiled: Set<Mutant.Key>, of systems: Set<String>) -> [String] {
    let killed = Set(judged.filter(\.verdict.isKilled).map(\.key))
    return proofs.keys.filter { key in
      let isBuilt =
        key.file.split(separator: "/").dropLast().last.map { systems.contains(String($0)) } ?? false
      return killed.contains(key) || isBuilt && !compiled.contains(key)
    }.map { key in
      "\(key.file) \(key.function) \(key.mutation) \(key.text): "
        + (killed.contains(key) ? "was killed" : "there is no such mutant")
    }.sorted()
  }
}
