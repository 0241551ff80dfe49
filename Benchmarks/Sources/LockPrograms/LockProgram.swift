public import Simulator

/// A small library that keeps its state behind a lock or in an atomic, in the manner of published ones, and a program
/// that uses it.
///
/// Each has one bug that people write, and a twin without it. What differs stands in one `switch` or `if` over
/// ``Twin``.
public struct LockProgram: Sendable {
  /// What the library is.
  public let name: String

  /// Where it keeps its state.
  public let state: State

  /// The bug, in one sentence.
  public let bug: String

  /// The program. It fails, or comes to a deadlock, where the bug shows.
  public let body: @Sendable (Simulation, Twin) async -> Void

  /// Where a library keeps its state.
  public enum State: String, Sendable {
    case nsLock = "`NSLock`"
    case condition = "`NSCondition`"
    case pthread = "`pthread_mutex_t`"
    case mutex = "`Mutex`"
    case atomic = "`Atomic`"
    case atomicAndMutex = "`Atomic`, `Mutex`"
  }

  /// Whether a program has its bug.
  public enum Twin: Sendable {
    case seeded
    case mended
  }

  init(
    _ name: String, _ state: State, _ bug: String, body: @escaping @Sendable (Simulation, Twin) async -> Void
  ) {
    self.name = name
    self.state = state
    self.bug = bug
    self.body = body
  }
}

extension LockProgram {
  /// Every program of the table.
  public static let all: [LockProgram] = [
    semaphore, onceCell, pool, rateLimiter, debouncer, currentValue,
    blockingQueue,
    readerWriterGate, registry,
    gate, barrier, channel, promise, loadingCache, sharedHandle,
    timeout, breaker, lease, limiter,
  ]
}
