import Foundation

/// A mutex of the system in a class, as libraries have it that cannot use `Mutex`.
@safe final class PosixLock: @unchecked Sendable {
  // @unchecked Sendable because a mutex is made to be used by many threads.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    let error = unsafe pthread_mutex_init(mutex, nil)
    precondition(error == 0, "a mutex cannot be made: \(error)")
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }
}
