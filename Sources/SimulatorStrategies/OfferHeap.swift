internal import SimulatorStrategyInterface

/// The candidates on offer by priority: the highest in O(1), everything else in O(log n).
///
/// This is a 4-ary heap. Among many candidates it touches half as many cache lines on its way down as a binary heap
/// (LaMarca and Ladner: The Influence of Caches on the Performance of Heaps, 1996).
///
/// An entry is valid while its priority is its candidate's present one. Invalid entries are removed when they reach the
/// top.
struct OfferHeap {
  struct Entry {
    var priority: UInt64
    var task: UInt64
    var id: Strategies.Candidate.ID
  }

  private var entries: ContiguousArray<Entry> = []
  /// The present priority of each candidate, by its id; 0 for one that is not on offer.
  private var present: ContiguousArray<UInt64> = []

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    present.removeAll(keepingCapacity: true)
  }

  /// Offers a candidate; `priority` is above 0.
  mutating func insert(_ id: Strategies.Candidate.ID, task: UInt64, priority: UInt64) {
    while present.count <= Int(id) { present.append(0) }
    present[Int(id)] = priority
    let entry = Entry(priority: priority, task: task, id: id)
    entries.append(entry)
    var index = entries.count - 1
    while index > 0 {
      let parent = (index - 1) >> 2
      guard entries[parent].priority < priority else { break }
      entries[index] = entries[parent]
      index = parent
    }
    entries[index] = entry
  }

  mutating func remove(_ id: Strategies.Candidate.ID) {
    if Int(id) < present.count { present[Int(id)] = 0 }
  }

  /// Returns the candidate with the highest priority, if any is on offer.
  mutating func top() -> Entry? {
    while let first = entries.first {
      if present[Int(first.id)] == first.priority { return first }
      let last = entries.removeLast()
      if !entries.isEmpty { sink(last) }
    }
    return nil
  }

  /// Gives the top a new priority, above 0 and not above its present one.
  mutating func lowerTop(to priority: UInt64) {
    guard var entry = top() else { return }
    entry.priority = priority
    present[Int(entry.id)] = priority
    sink(entry)
  }

  /// Puts `entry` in place of the top and sinks it.
  private mutating func sink(_ entry: Entry) {
    var index = 0
    while true {
      let first = index << 2 + 1
      guard first < entries.count else { break }
      var child = first
      for other in first + 1..<max(first + 1, min(first + 4, entries.count))
      where entries[child].priority < entries[other].priority { child = other }
      guard entry.priority < entries[child].priority else { break }
      entries[index] = entries[child]
      index = child
    }
    entries[index] = entry
  }
}
