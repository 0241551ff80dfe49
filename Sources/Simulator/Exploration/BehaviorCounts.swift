/// The number of times that each behavior was seen. O(1) per behavior.
struct BehaviorCounts: Codable {
  /// The largest number of behaviors that are distinguished.
  static let limit = 1 << 20

  private var keys: ContiguousArray<UInt64> = ContiguousArray(repeating: 0, count: 64)
  private var isSingle: ContiguousArray<Bool> = ContiguousArray(repeating: false, count: 64)
  /// The number of behaviors that were distinguished.
  private(set) var count = 0
  /// The number of these that were seen once.
  private(set) var singles = 0
  /// The number of executions that were counted.
  private(set) var total = 0

  /// The distinguished behaviors are not encoded: the figures are for display, not for counting on.
  private enum CodingKeys: CodingKey { case count, singles, total }

  mutating func count(_ behavior: UInt64) {
    let key = max(behavior, 1)
    total += 1
    let slot = slot(of: key)
    if keys[slot] == key {
      if isSingle[slot] { singles -= 1 }
      isSingle[slot] = false
    } else if count < Self.limit {
      keys[slot] = key
      isSingle[slot] = true
      singles += 1
      count += 1
      if count * 2 > keys.count { grow() }
    }
  }

  /// Returns true if this behavior has been counted, or if there are more than can be distinguished.
  func contains(_ behavior: UInt64) -> Bool {
    let key = max(behavior, 1)
    return count == Self.limit || keys[slot(of: key)] == key
  }

  /// Returns the `count` smallest behaviors that were distinguished, in ascending order.
  func smallest(_ count: Int) -> ArraySlice<UInt64> { keys.filter { $0 != 0 }.sorted().prefix(count) }

  /// Returns the number of times that this behavior has been counted; 2 means two or more.
  func times(_ behavior: UInt64) -> Int {
    let slot = slot(of: max(behavior, 1))
    return keys[slot] == 0 ? 0 : isSingle[slot] ? 1 : 2
  }

  private func slot(of key: UInt64) -> Int {
    let mask = keys.count - 1
    var slot = Int(truncatingIfNeeded: key) & mask
    while keys[slot] != 0, keys[slot] != key { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let (oldKeys, oldSingles) = (keys, isSingle)
    keys = ContiguousArray(repeating: 0, count: oldKeys.count * 2)
    isSingle = ContiguousArray(repeating: false, count: oldKeys.count * 2)
    for old in oldKeys.indices where oldKeys[old] != 0 {
      let slot = slot(of: oldKeys[old])
      keys[slot] = oldKeys[old]
      isSingle[slot] = oldSingles[old]
    }
  }
}
