/// The range of a timer's end, and what else is known of that timer.
package struct TimerRange {
  /// The number of its timer.
  let order: UInt32
  /// The task that waits for it; -1 if unknown.
  var task: Int32
  /// The instant when it was set.
  let start: Int64
  let earliest: Int64
  let latest: Int64
  /// The choice by which it was put off; -1 if there was none.
  var position = -1
  /// A measure of how much had happened when it was put off.
  var news = News(0, -1)
}

/// The ranges of timers, by timer number. Numbers are added in ascending order. O(log n) to take one, O(1) amortized
/// for all else.
struct TimerRanges {
  private var orders: ContiguousArray<UInt32> = []
  private var ranges: ContiguousArray<TimerRange?> = []
  /// The number of ranges that have not been taken.
  private var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func removeAll() {
    orders.removeAll(keepingCapacity: true)
    ranges.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Adds a range whose number is above all others.
  mutating func append(_ range: TimerRange) {
    orders.append(range.order)
    ranges.append(range)
    count += 1
  }

  mutating func take(_ order: UInt32) -> TimerRange? {
    var low = 0
    var high = orders.count
    while low < high {
      let middle = (low + high) >> 1
      if orders[middle] < order { low = middle + 1 } else { high = middle }
    }
    guard low < orders.count, orders[low] == order, let range = ranges[low] else { return nil }
    ranges[low] = nil
    count -= 1
    if count == 0 { removeAll() } else if orders.count > 2 * count + 64 { dropTaken() }
    return range
  }

  private mutating func dropTaken() {
    ranges.removeAll { $0 == nil }
    orders.removeAll(keepingCapacity: true)
    for case let range? in ranges { orders.append(range.order) }
  }
}
