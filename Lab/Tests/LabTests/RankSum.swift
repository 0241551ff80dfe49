import SearchTrials

/// How far the schedules of one strategy lie above those of another, over programs, in standard deviations of chance: the
/// rank sums of each program, added up (van Elteren: On the Combination of Independent Two-Sample Tests of Wilcoxon, 1960).
struct RankSum {
  private var surplus = 0.0
  private var variance = 0.0

  init(_ pairs: [(one: Trials, other: Trials)]) {
    for pair in pairs { add(Self.counts(pair.one), Self.counts(pair.other)) }
  }

  var deviations: Double { surplus / variance.squareRoot() }

  /// A trial that found nothing counts as the cap.
  private static func counts(_ trials: Trials) -> [Int] {
    trials.counts + Array(repeating: trials.cap, count: trials.misses)
  }

  private mutating func add(_ one: [Int], _ other: [Int]) {
    let all = (one + other).sorted()
    var ranks: [Int: Double] = [:]
    var ties = 0.0
    var index = 0
    while index < all.count {
      let end = all[index...].firstIndex { $0 != all[index] } ?? all.count
      let count = Double(end - index)
      ranks[all[index]] = Double(index + end + 1) / 2
      ties += count * count * count - count
      index = end
    }
    let (m, n) = (Double(one.count), Double(other.count))
    let total = m + n
    let weight = 1 / (total + 1)
    surplus += weight * (other.reduce(0) { $0 + (ranks[$1] ?? 0) } - n * (total + 1) / 2)
    variance += weight * weight * (m * n / 12) * (total + 1 - ties / (total * (total - 1)))
  }
}
