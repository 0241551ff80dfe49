/// Numbers the tasks, or tasks and places, that an exploration meets, by the hash of their names. O(1) expected.
///
/// The last keys can be forgotten again. With linear probing, a slot may simply be emptied if its key was added last,
/// because no other key ever probed past it. So the table always looks as if its keys had been added in the order of
/// their numbers.
package struct PathTable {
  private var slots: ContiguousArray<UInt64> = ContiguousArray(repeating: 0, count: 64)
  private var numbers: ContiguousArray<Int32> = ContiguousArray(repeating: -1, count: 64)
  /// The key of each number.
  private(set) var keys: ContiguousArray<UInt64> = []

  var count: Int { keys.count }

  /// Returns the number of `key`, if it has one.
  @inline(__always)
  func find(_ key: UInt64) -> Int? {
    let slot = slot(of: key)
    return numbers[slot] < 0 ? nil : Int(numbers[slot])
  }

  /// Gives the next number to `key`, which must not be in the table, and returns that number.
  mutating func add(_ key: UInt64) -> Int {
    keys.append(key)
    if keys.count * 2 > slots.count { grow() } else { put(keys.count - 1) }
    return keys.count - 1
  }

  /// Forgets all but the first `count` keys. O(keys forgotten).
  mutating func keepFirst(_ count: Int) {
    while keys.count > count { numbers[slot(of: keys.removeLast())] = -1 }
  }

  @inline(__always)
  private func slot(of key: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: key) & mask
    while numbers[slot] >= 0, slots[slot] != key { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func put(_ number: Int) {
    let slot = slot(of: keys[number])
    slots[slot] = keys[number]
    numbers[slot] = Int32(number)
  }

  private mutating func grow() {
    slots = ContiguousArray(repeating: 0, count: slots.count * 2)
    numbers = ContiguousArray(repeating: -1, count: slots.count)
    for number in keys.indices { put(number) }
  }
}
