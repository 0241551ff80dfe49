/// Finds the name that the author of a misspelled one probably meant.
package enum NearestName {
  /// Returns the candidate with the fewest slips from `name`, if they are few enough to be slips; the first among
  /// equals.
  package static func of(_ name: String, in candidates: [String]) -> String? {
    guard name.unicodeScalars.prefix(longest + 1).count <= longest else { return nil }
    let wanted = folded(name)
    var best: (name: String, slips: Int)?
    for candidate in candidates.prefix(most) {
      let letters = folded(candidate)
      let few = min(tolerated(in: letters.count), (best?.slips ?? .max) - 1)
      if let slips = slips(from: wanted, to: letters, atMost: few) { best = (candidate, slips) }
    }
    return best?.name
  }

  /// Longer names and further candidates are ignored, so that a hostile file cannot make this take long.
  private static let longest = 64
  private static let most = 500

  /// Returns how many slips a name of this length may have: one if it is short, at most three if it is long.
  private static func tolerated(in count: Int) -> Int { min(3, max(1, count / 3)) }

  /// Returns the letters of a name, upper and lower case taken as equal.
  private static func folded(_ name: String) -> [Unicode.Scalar] { Array(name.lowercased().unicodeScalars) }

  /// Returns the number of slips from one name to the other, whatever their case.
  package static func slips(from first: String, to second: String) -> Int {
    slips(from: folded(first), to: folded(second), atMost: .max) ?? .max
  }

  /// Returns the Damerau–Levenshtein distance in its restricted form (optimal string alignment): insertions, deletions,
  /// replacements and swaps of neighbors; nil if it is more than `most`.
  ///
  /// After Damerau, "A technique for computer detection and correction of spelling errors", CACM 1964. O(product of the
  /// lengths).
  private static func slips(from a: [Unicode.Scalar], to b: [Unicode.Scalar], atMost most: Int) -> Int? {
    guard abs(a.count - b.count) <= most else { return nil }
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      var fewest = i + 1
      for j in b.indices {
        var slips = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { slips = min(slips, beforePrevious[j - 1] + 1) }
        row.append(slips)
        fewest = min(fewest, slips)
      }
      guard fewest <= most else { return nil }
      beforePrevious = previous
      previous = row
    }
    return previous[b.count] <= most ? previous[b.count] : nil
  }
}
