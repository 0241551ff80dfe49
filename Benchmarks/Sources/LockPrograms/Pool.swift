import Foundation
import Simulator

extension LockProgram {
  /// Two tasks use one connection.
  static let pool = LockProgram(
    "connection pool", .nsLock,
    "A connection comes back: a waiter is looked for in one critical section, and the connection becomes idle in the "
      + "next. A waiter that comes between them waits for ever."
  ) { _, twin in
    let pool = Pool(connections: [1], twin)
    async let first: Void = use(pool)
    async let second: Void = use(pool)
    _ = await (first, second)
  }
}

@concurrent private func use(_ pool: Pool) async {
  let connection = await pool.take()
  pool.giveBack(connection)
}

private final class Pool: @unchecked Sendable {
  // @unchecked Sendable because what varies is reached under the lock only.
  private let lock = NSLock()
  private var idle: [Int]
  private var waiters: [CheckedContinuation<Int, Never>] = []
  private let twin: LockProgram.Twin

  init(connections: [Int], _ twin: LockProgram.Twin) {
    idle = connections
    self.twin = twin
  }

  func take() async -> Int {
    await withCheckedContinuation { continuation in
      let connection: Int? = lock.withLock {
        if let connection = idle.popLast() { return connection }
        waiters.append(continuation)
        return nil
      }
      if let connection { continuation.resume(returning: connection) }
    }
  }

  func giveBack(_ connection: Int) {
    let waiter: CheckedContinuation<Int, Never>?
    switch twin {
    case .seeded:
      waiter = lock.withLock { firstWaiter() }
      if waiter == nil { lock.withLock { idle.append(connection) } }
    case .mended:
      waiter = lock.withLock {
        let waiter = firstWaiter()
        if waiter == nil { idle.append(connection) }
        return waiter
      }
    }
    waiter?.resume(returning: connection)
  }

  private func firstWaiter() -> CheckedContinuation<Int, Never>? {
    waiters.isEmpty ? nil : waiters.removeFirst()
  }
}
