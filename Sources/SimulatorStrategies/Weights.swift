/// A Fenwick tree of weighted numbers, from which one is picked in proportion to its weight: O(log n).
package struct Weights {
  private var tree: ContiguousArray<Int> = [0]
  private var weights: ContiguousArray<Int> = []
  private(set) var total = 0

  /// Sets the weight of each of `count` numbers to zero.
  mutating func reset(count: Int) {
    total = 0
    if weights.count != count {
      weights = ContiguousArray(repeating: 0, count: count)
      tree = ContiguousArray(repeating: 0, count: Self.room(for: count) + 1)
    } else {
      for index in weights.indices { weights[index] = 0 }
      for index in tree.indices { tree[index] = 0 }
    }
  }

  /// Returns the smallest power of two not below `count`, so that a walk down the tree need not check whether it has
  /// left the tree.
  private static func room(for count: Int) -> Int {
    count < 2 ? count : 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
  }

  subscript(number: Int) -> Int {
    get { number < weights.count ? weights[number] : 0 }
    set {
      if number >= weights.count { grow(to: number + 1) }
      let change = newValue - weights[number]
      guard change != 0 else { return }
      weights[number] = newValue
      total += change
      var index = number + 1
      while index < tree.count {
        tree[index] += change
        index += index & -index
      }
    }
  }

  /// Returns the number in whose share `ticket`, below `total`, falls.
  ///
  /// The direction at each level is random, so it is computed rather than branched on.
  func number(at ticket: Int) -> Int {
    var position = 0
    var rest = ticket
    var step = (tree.count - 1) >> 1
    while step > 0 {
      let sum = tree[position + step]
      let goesOn = (sum &- rest &- 1) >> (Int.bitWidth - 1)
      position += step & goesOn
      rest &-= sum & goesOn
      step >>= 1
    }
    return position
  }

  private mutating func grow(to count: Int) {
    let old = weights
    reset(count: max(count, 2 * old.count, 8))
    for index in old.indices { self[index] = old[index] }
  }
}
