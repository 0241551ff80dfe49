import Simulator
import Synchronization

extension LockProgram {
  /// One of two tasks may work at a time.
  static let limiter = LockProgram(
    "task limiter", .atomicAndMutex,
    "A waiter has counted itself and has not registered yet: the task that leaves finds no waiter and wakes nobody."
  ) { _, twin in
    let limiter = Limiter(places: 1, twin)
    async let first: Void = work(limiter)
    async let second: Void = work(limiter)
    _ = await (first, second)
  }
}

@concurrent private func work(_ limiter: Limiter) async {
  await limiter.enter()
  limiter.leave()
}

/// The number of places that are free is an atomic, so that a task that need not wait takes no lock.
private final class Limiter: Sendable {
  private struct Waiting {
    var continuations: [CheckedContinuation<Void, Never>] = []
    /// How many wake-ups came before their waiters.
    var owed = 0
  }

  private let free: Atomic<Int>
  private let waiting = Mutex(Waiting())
  private let twin: LockProgram.Twin

  init(places: Int, _ twin: LockProgram.Twin) {
    free = Atomic(places)
    self.twin = twin
  }

  func enter() async {
    if free.wrappingSubtract(1, ordering: .acquiring).newValue >= 0 { return }
    await withCheckedContinuation { continuation in
      let isOwed = waiting.withLock { waiting in
        if waiting.owed > 0 {
          waiting.owed -= 1
          return true
        }
        waiting.continuations.append(continuation)
        return false
      }
      if isOwed { continuation.resume() }
    }
  }

  func leave() {
    if free.wrappingAdd(1, ordering: .releasing).newValue > 0 { return }
    let waiter: CheckedContinuation<Void, Never>? = waiting.withLock { waiting in
      if !waiting.continuations.isEmpty { return waiting.continuations.removeFirst() }
      if twin == .mended { waiting.owed += 1 }
      return nil
    }
    waiter?.resume()
  }
}
