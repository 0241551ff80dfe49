import ScenarioFiles
import Simulator

/// One of the shards of a run: `3/16`.
struct ShardNumber: Codable, Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  let index: Int
  let count: Int

  /// How many shards a run may have.
  static let counts = 1...1_000

  /// All shards of a run that has so many.
  static func all(_ count: Int) -> [ShardNumber] { (1...count).map { ShardNumber(index: $0, count: count) } }

  var description: String { "\(index)/\(count)" }

  /// Its part of the search of one variant. Which shard does alone what cannot be divided follows from the names, so that
  /// this work is spread.
  func part(of scenario: String, _ variant: String) -> Explorer.Shard {
    let home = Fingerprint(of: "\(scenario) · \(variant)").value % UInt64(count)
    return Explorer.Shard(index, of: count, isHome: Int(home) + 1 == index)
  }
}

extension ShardNumber {
  /// `I/N`; nil where the text is anything else.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
      let index = Int(parts[0]), let count = Int(parts[1]), Self.counts.contains(count),
      (1...count).contains(index)
    else { return nil }
    self.init(index: index, count: count)
  }
}
