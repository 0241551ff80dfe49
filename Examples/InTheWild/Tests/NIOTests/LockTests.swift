import NIOConcurrencyHelpers
import Simulator
import SimulatorTesting
import Testing

/// In debug builds these locks tell a thread that takes one twice.
@Suite struct `Locks of swift-nio` {
  private func nest(sharing: Bool) -> Explorer.Report {
    explore(options: .overlapping) { _ in
      let locks = (0..<3).map { _ in NIOLock() }
      async let first: Void = locks[0].withLock { locks[1].withLock {} }
      async let second: Void =
        sharing ? locks[0].withLock { locks[2].withLock {} } : locks[1].withLock { locks[0].withLock {} }
      _ = await (first, second)
    }
  }

  @Test func `hold where two tasks take them in one order`() {
    let report = nest(sharing: true)
    #expect(report.holds, "\(report)")
  }

  @Test func `are a deadlock where two tasks take them in opposite orders`() throws {
    let deadlock = try #require(nest(sharing: false).violations.first)
    #expect(deadlock.invariant == "deadlock")
    for (waiter, holder) in [(1, 2), (2, 1)] {
      #expect(
        deadlock.message.contains("\(waiter) waits for a lock that \(holder) holds"), "\(deadlock.message)")
    }
  }
}
