extension Explorer {
  /// The behaviors that a search has distinguished, by their digests, so that those of several searches can be united.
  ///
  /// If there are many, those with the smallest digests are kept. So the union does not depend on the order or the
  /// grouping in which it is made.
  package struct BehaviorDigests: Codable, Hashable, Sendable {
    /// One behavior.
    package struct Entry: Codable, Hashable, Sendable {
      package let digest: UInt64
      /// The number of random schedules, generated independently of all others, that showed it; 2 means two or more.
      package let samples: Int

      package init(digest: UInt64, samples: Int) {
        self.digest = digest
        self.samples = samples
      }
    }

    /// The largest number of entries that are kept.
    package static let limit = 1 << 15

    /// The entries, in ascending order of their digests.
    package let entries: [Entry]
    /// A lower bound of the number of behaviors.
    package let fewest: Int
    /// True if there are no other behaviors.
    package let isWhole: Bool

    /// Creates digests from what is known; `entries` must ascend.
    package init(entries: [Entry], fewest: Int, isWhole: Bool) {
      self.entries = entries
      self.fewest = fewest
      self.isWhole = isWhole
    }

    /// Returns the digests of a search of which only the number of schedules is known, or of no search.
    package static func none(isWhole: Bool) -> Self { Self(entries: [], fewest: 0, isWhole: isWhole) }

    init(_ seen: BehaviorCounts, samples: BehaviorCounts) {
      entries = seen.smallest(Self.limit).map { Entry(digest: $0, samples: samples.times($0)) }
      fewest = seen.count
      isWhole = seen.count <= Self.limit
    }

    /// The number of entries that only one of the independently generated schedules has shown.
    package var singles: Int { entries.count { $0.samples == 1 } }

    /// Returns the behaviors of both searches. O(the number of both).
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
