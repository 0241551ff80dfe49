import Simulator

extension Explorer.UntriedPairs: ReportObject {
  init() { self.init(count: 1, mayBeMore: false, examples: []) }

  static let about =
    "Pairs of ends of timers, at least one of them a range, that could have come at the same instant of virtual time."
  static let keys = list {
    key("count", \.count, "The number of pairs.") {
      $0 = Explorer.UntriedPairs(count: $1, mayBeMore: $0.mayBeMore, examples: $0.examples)
    }
    key("mayBeMore", \.mayBeMore, "Whether there may be more: a search follows only so many.") {
      $0 = Explorer.UntriedPairs(count: $0.count, mayBeMore: $1, examples: $0.examples)
    }
    key("examples", \.examples, "Up to five of them, in words, sorted.") {
      $0 = Explorer.UntriedPairs(count: $0.count, mayBeMore: $0.mayBeMore, examples: $1)
    }
    derived("text", \.text, "All of this in words.")
  }

  func complete() throws(ReportFlaw) {
    guard (1...Explorer.TimerPairs.mostExamples).contains(examples.count), examples.count <= count else {
      throw ReportFlaw(.impossible)
    }
  }
}

extension Explorer.TimerPairs.Entry: ReportObject {
  init() { self.init(one: 0, other: 0, text: "", isTried: false) }

  static let about = "Two ends of timers that could have come at the same instant."
  static let keys = list {
    key("ends", \.ends, "Both ends, sixteen hexadecimal digits each; the same in every shard.") {
      $0.ends = $1
    }
    key("text", \.text, "The ends in words.") {
      $0 = Self(one: $0.one, other: $0.other, text: $1, isTried: $0.isTried)
    }
    key("tried", \.isTried, "Whether some schedule has brought them together.") {
      $0 = Self(one: $0.one, other: $0.other, text: $0.text, isTried: $1)
    }
  }

  func complete() throws(ReportFlaw) {
    guard one < other else { throw ReportFlaw(.impossible, at: "ends") }
  }

  /// Both hashes. Those of a text that has none are equal, which is refused.
  private var ends: String {
    get { one.hexadecimal + other.hexadecimal }
    set {
      let digits = Array(newValue.utf8)
      let halves = digits.count == 32 ? [digits[..<16], digits[16...]] : []
      let numbers = halves.compactMap { UInt64(String(decoding: $0, as: UTF8.self), radix: 16) }
      let isRead = numbers.count == 2 && numbers[0].hexadecimal + numbers[1].hexadecimal == newValue
      self = Self(
        one: isRead ? numbers[0] : 0, other: isRead ? numbers[1] : 0, text: text, isTried: isTried)
    }
  }
}

extension VariantPart {
  /// The pairs of ends of timers, as a value that can be united with others.
  var timerPairs: Explorer.TimerPairs {
    get { Explorer.TimerPairs(entries: pairs, isCut: hasMorePairs) }
    set { (pairs, hasMorePairs) = (newValue.entries, newValue.isCut) }
  }

  /// The pairs that no schedule of these shards has brought together.
  var untriedPairs: Explorer.UntriedPairs? { timerPairs.untried }
}
