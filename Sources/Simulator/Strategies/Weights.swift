/// Numbers with weights, of which one is drawn in proportion to its weight: a Fenwick tree, O(log n).
struct Weights {
  private var tree: ContiguousArray<Int> = [0]
  private var weights: ContiguousArray<Int> = []
  private(set) var total = 0

  /// Zero for each of `count` numbers.
  mutating func reset(count: Int) {
    total = 0
    if weights.count != count {
      weights = ContiguousArray(repeating: 0, count: count)
      tree = ContiguousArray(repeating: 0, count: count + 1)
    } else {
      for index in 0..<count { weights[index] = 0 }
      for index in 0...count { tree[index] = 0 }
    }
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

  /// The number in whose share `ticket`, below `total`, falls.
  func number(at ticket: Int) -> Int {
    var position = 0
    var rest = ticket
    var step = 1 << (Int.bitWidth - 1 - tree.count.leadingZeroBitCount)
    while step > 0 {
      let next = position + step
      if next < tree.count, tree[next] <= rest {
        position = next
        rest -= tree[next]
      }
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
