extension Explorer {
  /// The behaviours that a search has told apart, by their digests, so that those of several searches can be united.
  ///
  /// Of many, those with the smallest digests are kept. So the union does not depend on the order or the grouping in which
  /// it is made.
  package struct BehaviourDigests: Codable, Hashable, Sendable {
    /// One behaviour.
    package struct Entry: Codable, Hashable, Sendable {
      package let digest: UInt64
      /// In how many random schedules it was seen that were drawn without regard to any other; 2 stands for more, too.
      package let samples: Int

      package init(digest: UInt64, samples: Int) {
        self.digest = digest
        self.samples = samples
      }
    }

    /// The most that are kept.
    package static let limit = 1 << 15

    /// Ascending by their digests.
    package let entries: [Entry]
    /// How many behaviours there are at least.
    package let fewest: Int
    /// Whether there are no others.
    package let isWhole: Bool

    /// What is known: `entries` ascend.
    package init(entries: [Entry], fewest: Int, isWhole: Bool) {
      self.entries = entries
      self.fewest = fewest
      self.isWhole = isWhole
    }

    /// Of a search of which only the number of its schedules is known, or of none.
    package static func none(isWhole: Bool) -> Self { Self(entries: [], fewest: 0, isWhole: isWhole) }

    init(_ seen: BehaviourCounts, samples: BehaviourCounts) {
      entries = seen.smallest(Self.limit).map { Entry(digest: $0, samples: samples.times($0)) }
      fewest = seen.count
      isWhole = seen.count <= Self.limit
    }

    /// How many of them only one of the schedules has shown that were drawn without regard to any other.
    package var singles: Int { entries.count { $0.samples == 1 } }

    /// The behaviours of both searches. O(the number of both).
    package func united(with other: Self) -> Self {
      var all: [Entry] = []
      all.reserveCapacity(entries.count + other.entries.count)
      var (one, two) = (entries[...], other.entries[...])
      while let first = one.first, let second = two.first {
        if first.digest == second.digest {
          all.append(Entry(digest: first.digest, samples: min(2, first.samples + second.samples)))
          one.removeFirst()
          two.removeFirst()
        } else if first.digest < second.digest {
          all.append(one.removeFirst())
        } else {
          all.append(two.removeFirst())
        }
      }
      all += one + two
      let kept = Array(all.prefix(Self.limit))
      return Self(
        entries: kept, fewest: max(fewest, other.fewest, kept.count),
        isWhole: isWhole && other.isWhole && kept.count == all.count)
    }
  }
}
