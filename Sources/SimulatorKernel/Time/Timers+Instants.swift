// The instants at which timers are due.

extension Timers {
  /// Passes `body` some of the instants between `low` and `high` at which timers are due. O(1): it looks at few of them.
  func withInstants<Result>(
    after low: Int64, before high: Int64, _ body: (UnsafeBufferPointer<Int64>) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(of: Int64.self, capacity: 1 + Self.mostLookedAt) { found in
      var count = 0
      func add(_ instant: Int64) {
        guard instant > low, instant < high else { return }
        unsafe found[count] = instant
        count += 1
      }
      for index in 0..<min(Self.mostLookedAt, self.count) {
        let timer = unsafe heap[index]
        if dead.isEmpty || !dead.contains(timer.order) { add(timer.deadline) }
      }
      if let first = open.earliest { add(first) }
      return unsafe body(UnsafeBufferPointer(rebasing: found[..<count]))
    }
  }

  private static let mostLookedAt = 9
}
