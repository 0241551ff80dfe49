internal import SimulatorCore
internal import SimulatorKernel

extension Explorer {
  /// The pairs of ends of timers that could have come at the same instant and came together in no schedule.
  ///
  /// A timer whose end is a range may end together with another timer. Two such ends are a pair if, in some schedule, both
  /// timers were pending at the same time and their ends had an instant in common. Bugs hide where they come together.
  public struct UntriedPairs: Codable, Hashable, Sendable {
    /// The number of pairs.
    public let count: Int
    /// True if there may be more: the program has more timers at a time, or more pairs, than a search follows.
    public let mayBeMore: Bool
    /// Up to five of them, in words, sorted.
    public let examples: [String]

    package init(count: Int, mayBeMore: Bool, examples: [String]) {
      (self.count, self.mayBeMore, self.examples) = (count, mayBeMore, examples)
    }

    /// The number, and the examples.
    package var text: String {
      let number = "\(mayBeMore ? "at least " : "")\(count.grouped) \(count == 1 ? "pair" : "pairs")"
      let rest = count > examples.count ? ", …" : ""
      return "\(number) of ends \(count == 1 ? "was" : "were") never brought together: "
        + examples.map(\.visible).joined(separator: ", ") + rest
    }
  }

  /// The pairs of ends that a search has shown, so that those of several searches can be united.
  package struct TimerPairs: Codable, Hashable, Sendable {
    /// One pair.
    package struct Entry: Codable, Hashable, Sendable {
      /// The hashes of the two ends, equal in every search of the program, and the lower one first.
      package let one: UInt64
      package let other: UInt64
      /// The two ends in words.
      package let text: String
      /// True if some schedule has brought them together.
      package let isTried: Bool

      package init(one: UInt64, other: UInt64, text: String, isTried: Bool) {
        (self.one, self.other, self.text, self.isTried) = (one, other, text, isTried)
      }
    }

    /// The largest number of examples.
    package static let mostExamples = 5

    /// The pairs in ascending order of their hashes.
    package let entries: [Entry]
    /// True if there may be others.
    package let isCut: Bool

    /// Creates pairs from what is known; `entries` must ascend.
    package init(entries: [Entry] = [], isCut: Bool = false) {
      self.entries = entries
      self.isCut = isCut
    }

    init(_ shown: EndPairs) {
      entries = shown.all.map { pair in
        Entry(
          one: pair.one, other: pair.other, text: pair.names.sorted().joined(separator: " with "),
          isTried: pair.haveMet)
      }
      isCut = shown.isCut
    }

    /// The pairs that no schedule has brought together; nil if there is none.
    package var untried: UntriedPairs? {
      let left = entries.filter { !$0.isTried }
      guard !left.isEmpty else { return nil }
      let examples = Set(left.map(\.text)).sorted().prefix(Self.mostExamples)
      return UntriedPairs(count: left.count, mayBeMore: isCut, examples: Array(examples))
    }

    /// Returns the pairs of both searches. The order in which searches are united makes no difference.
    package func united(with other: Self) -> Self {
      var all: [[UInt64]: Entry] = [:]
      for entry in entries + other.entries {
        let known = all[[entry.one, entry.other]]
        all[[entry.one, entry.other]] = Entry(
          one: entry.one, other: entry.other, text: min(entry.text, known?.text ?? entry.text),
          isTried: entry.isTried || known?.isTried == true)
      }
      return Self(
        entries: all.values.sorted { ($0.one, $0.other) < ($1.one, $1.other) },
        isCut: isCut || other.isCut)
    }
  }
}
