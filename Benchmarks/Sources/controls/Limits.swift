import Simulator
import Synchronization

extension Control {
  /// A token bucket behind a lock: at most two calls in any ten milliseconds.
  static let rateLimiter = Control("rate limiter behind a lock") { _ in
    let limiter = RateLimiter(calls: 2, per: .milliseconds(10))
    let times = await withTaskGroup(of: ContinuousClock.Instant.self) { group in
      for _ in 0..<5 {
        group.addTask {
          while let delay = limiter.delay() { try? await Task.sleep(for: delay) }
          return ContinuousClock.now
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }.sorted()
    for (earlier, later) in zip(times, times.dropFirst(2)) {
      try check(later - earlier >= .milliseconds(10), "three calls within \(later - earlier)")
    }
  }

  /// At most two hold a permit; a waiter that is cancelled leaves the queue, and no permit is lost.
  static let semaphore = Control("semaphore that can be cancelled") { simulation in
    let semaphore = AsyncSemaphore(2)
    let holders = Counter()
    simulation.always("at most two hold a permit") { holders.value <= 2 }
    let tasks = (0..<4).map { number in
      Task {
        try await semaphore.wait()
        holders.add(1)
        if number % 2 == 0 { await Task.yield() }
        holders.add(-1)
        await semaphore.signal()
      }
    }
    tasks[3].cancel()
    for task in tasks.dropLast() { try await task.value }
    _ = await tasks[3].result
    let left = await semaphore.permits
    try check(left == 2, "permits left: \(left)")
  }

  /// Connections are lent to one at a time; who comes when none is left waits for the next that is given back.
  static let connectionPool = Control("connection pool") { simulation in
    let pool = ConnectionPool(["a", "b"])
    let lent = Lent()
    await withDiscardingTaskGroup { group in
      for number in 0..<4 {
        group.addTask {
          await pool.withConnection { connection in
            if !lent.insert(connection) {
              simulation.fail("one borrower", "two use connection \(connection)")
            }
            if number % 2 == 0 { try? await Task.sleep(for: .milliseconds(1)) } else { await Task.yield() }
            lent.remove(connection)
          }
        }
      }
    }
    try check(await pool.free.sorted() == ["a", "b"], "a connection is lost")
  }
}

private final class Lent: Sendable {
  private let connections = Mutex<Set<String>>([])

  /// Whether it was not there.
  func insert(_ connection: String) -> Bool { connections.withLock { $0.insert(connection).inserted } }

  func remove(_ connection: String) { connections.withLock { _ = $0.remove(connection) } }
}

/// A number that several tasks change.
final class Counter: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }

  func add(_ amount: Int) { number.add(amount, ordering: .relaxed) }
}

private final class RateLimiter: Sendable {
  private let period: Duration
  /// When each of the permits may be used again.
  private let free: Mutex<[ContinuousClock.Instant]>

  init(calls: Int, per period: Duration) {
    self.period = period
    free = Mutex(Array(repeating: .now, count: calls))
  }

  /// Takes a permit, or says how long to wait before trying again.
  func delay() -> Duration? {
    free.withLock { free in
      let now = ContinuousClock.now
      guard let index = free.indices.min(by: { free[$0] < free[$1] }) else { return nil }
      if free[index] > now { return free[index] - now }
      free[index] = now + period
      return nil
    }
  }
}

private actor AsyncSemaphore {
  private(set) var permits: Int
  private var waiters: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  private var nextID = 0

  init(_ permits: Int) { self.permits = permits }

  func wait() async throws {
    try Task.checkCancellation()
    if permits > 0 {
      permits -= 1
      return
    }
    let id = nextID
    nextID += 1
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        // A task that was cancelled before it came here finds no handler that could free it.
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
        } else {
          waiters.append((id, continuation))
        }
      }
    } onCancel: {
      Task { await self.leave(id) }
    }
  }

  private func leave(_ id: Int) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume(throwing: CancellationError())
  }

  func signal() {
    if waiters.isEmpty { permits += 1 } else { waiters.removeFirst().continuation.resume() }
  }
}

private actor ConnectionPool {
  private(set) var free: [String]
  private var waiters: [CheckedContinuation<String, Never>] = []

  init(_ connections: [String]) { free = connections }

  nonisolated func withConnection(_ use: (String) async -> Void) async {
    let connection = await lend()
    await use(connection)
    await giveBack(connection)
  }

  private func lend() async -> String {
    if let connection = free.popLast() { return connection }
    return await withCheckedContinuation { waiters.append($0) }
  }

  private func giveBack(_ connection: String) {
    if waiters.isEmpty {
      free.append(connection)
    } else {
      waiters.removeFirst().resume(returning: connection)
    }
  }
}
