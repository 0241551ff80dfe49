// The instants at which timers are due.

extension Timers {
  /// Passes `body` some of the instants strictly between `low` and `high` at which timers are due, ascending. O(1): it looks
  /// at the top of the heap, and at as many of the open timers.
  func withInstants<Result>(
    after low: Int64, before high: Int64, _ body: (UnsafeBufferPointer<Int64>) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(of: Int64.self, capacity: 2 * Self.mostLookedAt) { found in
      var count = 0
      func add(_ instant: Int64) {
        guard instant > low, instant < high, unsafe !found[..<count].contains(instant) else { return }
        var index = count
        while index > 0, unsafe found[index - 1] > instant {
          unsafe found[index] = found[index - 1]
          index -= 1
        }
        unsafe found[index] = instant
        count += 1
      }
      for index in 0..<min(Self.mostLookedAt, self.count) {
        let timer = unsafe heap[index]
        if dead.isEmpty || !dead.contains(timer.order) { add(timer.deadline) }
      }
      if !open.isEmpty { open.latestEnds(after: low, before: high, limit: Self.mostLookedAt).forEach(add) }
      return unsafe body(UnsafeBufferPointer(rebasing: found[..<count]))
    }
  }

  private static let mostLookedAt = 16
}
