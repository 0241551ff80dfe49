/// Finds the name that the author of a misspelled one probably meant.
package enum NearestName {
  /// Returns the candidate with the fewest slips from `name`, if they are few enough to be slips; the first among
  /// equals.
  package static func of(_ name: String, in candidates: [String]) -> String? {
    guard name.unicodeScalars.prefix(longest + 1).count <= longest else { return nil }
    var best: (name: String, slips: Int)?
    for candidate in candidates.prefix(most) {
      let slips = slips(from: name, to: candidate)
      if slips <= tolerated(in: candidate), slips < best?.slips ?? .max { best = (candidate, slips) }
    }
    return best?.name
  }

  /// Longer names and further candidates are ignored, so that a hostile file cannot make this take long.
  private static let longest = 64
  private static let most = 500

  /// Returns the number of slips that count as such: one in a short name, at most three in a long one.
  private static func tolerated(in name: String) -> Int {
    min(3, max(1, name.unicodeScalars.count / 3))
  }

  /// Returns the Damerau–Levenshtein distance in its restricted form (optimal string alignment): insertions, deletions,
  /// replacements and swaps of neighbors, with upper and lower case taken as equal.
  ///
  /// After Damerau, "A technique for computer detection and correction of spelling errors", CACM 1964. O(product of the
  /// lengths).
  package static func slips(from first: String, to second: String) -> Int {
    let a = Array(first.lowercased().unicodeScalars)
    let b = Array(second.lowercased().unicodeScalars)
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var slips = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { slips = min(slips, beforePrevious[j - 1] + 1) }
        row.append(slips)
      }
      beforePrevious = previous
      previous = row
    }
    return previous[b.count]
  }
}
