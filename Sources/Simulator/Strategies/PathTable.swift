/// Numbers the tasks, or tasks and places, that an exploration meets, by the hash of their names. O(1) expected.
struct PathTable {
  private var keys: ContiguousArray<UInt64> = ContiguousArray(repeating: 0, count: 64)
  private var numbers: ContiguousArray<Int32> = ContiguousArray(repeating: -1, count: 64)
  private(set) var count = 0

  /// The number of `key`, if it has one.
  @inline(__always)
  func find(_ key: UInt64) -> Int? {
    let slot = slot(of: key)
    return numbers[slot] < 0 ? nil : Int(numbers[slot])
  }

  /// Gives `key`, which must not be in the table, the next number.
  mutating func add(_ key: UInt64) -> Int {
    if (count + 1) * 2 > keys.count { grow() }
    let slot = slot(of: key)
    keys[slot] = key
    numbers[slot] = Int32(count)
    count += 1
    return count - 1
  }

  @inline(__always)
  private func slot(of key: UInt64) -> Int {
    let mask = keys.count - 1
    var slot = Int(truncatingIfNeeded: key) & mask
    while numbers[slot] >= 0, keys[slot] != key { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    var larger = PathTable()
    larger.keys = ContiguousArray(repeating: 0, count: keys.count * 2)
    larger.numbers = ContiguousArray(repeating: -1, count: keys.count * 2)
    for slot in keys.indices where numbers[slot] >= 0 {
      let to = larger.slot(of: keys[slot])
      larger.keys[to] = keys[slot]
      larger.numbers[to] = numbers[slot]
    }
    larger.count = count
    self = larger
  }
}
