package import SimulatorCore

/// Open timers sorted by their latest end, and by their number if that is the same: a sorted list in blocks.
///
/// With n timers in blocks of at most `most`, each operation is O(log n + `most` + n / `most`). The last term is a sum
/// over the lengths of the blocks.
package struct OpenTimerList {
  package init() {}

  package typealias Entry = (timer: Strategies.OpenTimer, slot: Int32)

  private static let most = 128

  /// The blocks. None is empty, except the only block of an empty list.
  private var blocks: ContiguousArray<ContiguousArray<Entry>> = [[]]
  package private(set) var count = 0

  package var isEmpty: Bool { count == 0 }
  package var first: Strategies.OpenTimer? { blocks[0].first?.timer }

  package mutating func removeAll() {
    if blocks.count > 1 { blocks.removeSubrange(1...) }
    blocks[0].removeAll(keepingCapacity: true)
    count = 0
  }

  package mutating func insert(_ entry: Entry) {
    let block = block(of: entry.timer)
    blocks[block].insert(entry, at: offset(of: entry.timer, in: block))
    count += 1
    guard blocks[block].count > Self.most else { return }
    let half = Self.most / 2
    blocks.insert(ContiguousArray(blocks[block][half...]), at: block + 1)
    blocks[block].removeSubrange(half...)
  }

  /// Removes this timer, if it is in the list, and returns its slot.
  package mutating func remove(_ timer: Strategies.OpenTimer) -> Int32? {
    let block = block(of: timer)
    let offset = offset(of: timer, in: block)
    guard offset < blocks[block].count, blocks[block][offset].timer.number == timer.number else { return nil }
    let slot = blocks[block].remove(at: offset).slot
    count -= 1
    if blocks[block].isEmpty, blocks.count > 1 { blocks.remove(at: block) }
    return slot
  }

  /// Returns the number of timers before this one; nil if it is not in the list.
  package func rank(of timer: Strategies.OpenTimer) -> Int? {
    let block = block(of: timer)
    let offset = offset(of: timer, in: block)
    guard offset < blocks[block].count, blocks[block][offset].timer.number == timer.number else { return nil }
    return rank(of: block) + offset
  }

  /// The timer with `rank` others before it. The list must hold more than `rank` timers.
  subscript(rank: Int) -> Strategies.OpenTimer {
    var offset = rank
    var block = 0
    while offset >= blocks[block].count {
      offset -= blocks[block].count
      block += 1
    }
    return blocks[block][offset].timer
  }

  /// Returns the number of timers whose latest end is at `instant` or before.
  package func count(endingBy instant: Int64) -> Int {
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low + high) >> 1
      if blocks[middle].first.map({ $0.timer.latest.nanoseconds <= instant }) ?? false {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low > 0 else { return 0 }
    return rank(of: low - 1)
      + Self.place(in: blocks[low - 1]) { $0.latest.nanoseconds > instant }
  }

  /// Calls `body` with each timer in order, starting with the first whose latest end is above `low`, until it returns
  /// false.
  package func forEach(after low: Int64, _ body: (Strategies.OpenTimer) -> Bool) {
    for block in blocks where block.last.map({ $0.timer.latest.nanoseconds > low }) ?? false {
      for entry in block where entry.timer.latest.nanoseconds > low {
        guard body(entry.timer) else { return }
      }
    }
  }

  private func rank(of block: Int) -> Int {
    var sum = 0
    for index in 0..<block { sum += blocks[index].count }
    return sum
  }

  /// Returns the last block whose first timer is not after `timer`.
  @inline(__always)
  private func block(of timer: Strategies.OpenTimer) -> Int {
    var low = 1
    var high = blocks.count
    while low < high {
      let middle = (low + high) >> 1
      if timer.precedes(blocks[middle][0].timer) { high = middle } else { low = middle + 1 }
    }
    return low - 1
  }

  @inline(__always)
  private func offset(of timer: Strategies.OpenTimer, in block: Int) -> Int {
    Self.place(in: blocks[block]) { !$0.precedes(timer) }
  }

  /// Returns the first offset at which `isBehind` holds. It must hold for all later offsets too.
  @inline(__always)
  private static func place(
    in block: ContiguousArray<Entry>, where isBehind: (Strategies.OpenTimer) -> Bool
  ) -> Int {
    var low = 0
    var high = block.count
    while low < high {
      let middle = (low + high) >> 1
      if isBehind(block[middle].timer) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Strategies.OpenTimer {
  /// Returns true if its latest end is earlier or, if both are the same, if it was set first.
  @inline(__always)
  package func precedes(_ other: Strategies.OpenTimer) -> Bool {
    latest.nanoseconds != other.latest.nanoseconds
      ? latest.nanoseconds < other.latest.nanoseconds : number < other.number
  }
}
