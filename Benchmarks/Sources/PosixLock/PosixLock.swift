import Foundation

/// A mutex of the system in a class, as libraries have it that cannot use `Mutex`.
@safe public final class PosixLock: @unchecked Sendable {
  // @unchecked Sendable because a mutex is made to be used by many threads.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  public init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    let error = unsafe pthread_mutex_init(mutex, nil)
    precondition(error == 0, "a mutex cannot be made: \(error)")
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  public func lock() { unsafe pthread_mutex_lock(mutex) }
  public func unlock() { unsafe pthread_mutex_unlock(mutex) }

  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  /// Whether the lock was free; it is taken then.
  public func tryLock() -> Bool { unsafe pthread_mutex_trylock(mutex) == 0 }
}
