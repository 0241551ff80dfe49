import ScenarioFiles
import Simulator

// What a report says of its shards, and what it takes to join it with those of others.

extension ReportJSON {
  static func shards(_ shards: ShardSet) -> JSONTree {
    var object = JSONTree.Builder()
    object.add("count", shards.count)
    object.add("held", shards.held)
    object.add("text", shards.text)
    object.add("executable", shards.run.executable)
    object.add("files", shards.run.files)
    object.add("options", shards.run.options)
    object.add("interrupted", shards.isInterrupted ? true : nil)
    return object.tree
  }

  static func unused(_ unused: Unused) -> JSONTree {
    var object = JSONTree.Builder()
    object.add("name", unused.name)
    object.add("text", unused.text)
    object.add("within", unused.within)
    return object.tree
  }

  static func part(_ part: VariantPart, untested: [Unused]?) -> JSONTree {
    var object = JSONTree.Builder()
    object.add("behaviours", part.behaviors.text)
    object.add("wholeSteps", part.hasWholeSteps)
    object.add("overlappingSteps", part.hasOverlappingSteps)
    object.add("untested", untested.map { $0.map(unused) })
    return object.tree
  }
}

extension Explorer.BehaviorDigests {
  /// Seventeen characters for each: the digest in hexadecimal digits, and in how many independent samples it was seen.
  var text: String { entries.map { $0.digest.hexadecimal + "\($0.samples)" }.joined() }

  /// What `text` says; nil where it says nothing.
  init?(text: String, fewest: Int, isWhole: Bool) {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 17), digits.count / 17 <= Self.limit else { return nil }
    var entries: [Entry] = []
    for start in stride(from: 0, to: digits.count, by: 17) {
      let digest = digits[start..<start + 16].reduce(UInt64?.some(0)) { word, digit in
        guard let word, let value = digit.hexadecimal, !digit.isLetter || digit >= UInt8(ascii: "a") else {
          return nil
        }
        return word << 4 | UInt64(value)
      }
      let samples = Int(digits[start + 16]) - Int(UInt8(ascii: "0"))
      guard let digest, (0...2).contains(samples), entries.last.map({ $0.digest < digest }) ?? true else {
        return nil
      }
      entries.append(Entry(digest: digest, samples: samples))
    }
    guard entries.count <= fewest, !isWhole || entries.count == fewest else { return nil }
    self.init(entries: entries, fewest: fewest, isWhole: isWhole)
  }
}
