import Foundation
import Glibc

/// A `pthread_cond_t` and its `pthread_mutex_t`, which stay where they are.
@safe final class Condition: @unchecked Sendable {
  // @unchecked Sendable because the C library guards what the addresses name.
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    _ = unsafe pthread_cond_init(condition, nil)
    _ = unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    _ = unsafe pthread_cond_destroy(condition)
    _ = unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  func signal() { _ = unsafe pthread_cond_signal(condition) }

  /// With the mutex in hand.
  func wait() { _ = unsafe pthread_cond_wait(condition, mutex) }

  /// The same for a millisecond at most. Whether a signal has come.
  func waitShortly() -> Bool {
    var until = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &until)
    until.tv_nsec += 1_000_000
    if until.tv_nsec >= 1_000_000_000 {
      (until.tv_sec, until.tv_nsec) = (until.tv_sec + 1, until.tv_nsec - 1_000_000_000)
    }
    return unsafe pthread_cond_timedwait(condition, mutex, &until) == 0
  }

  func withLock<Result>(_ body: () -> Result) -> Result {
    _ = unsafe pthread_mutex_lock(mutex)
    defer { _ = unsafe pthread_mutex_unlock(mutex) }
    return body()
  }
}

/// A `sem_t` that stays where it is.
@safe final class Semaphore: @unchecked Sendable {
  // @unchecked Sendable because the C library guards what the address names.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(_ value: UInt32) { _ = unsafe sem_init(semaphore, 0, value) }

  deinit {
    _ = unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  func wait() { while unsafe sem_wait(semaphore) != 0 {} }
  func post() { _ = unsafe sem_post(semaphore) }
}

/// A `pthread_rwlock_t` that stays where it is.
@safe final class ReadWriteLock: @unchecked Sendable {
  // @unchecked Sendable because the C library guards what the address names.
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  init() { _ = unsafe pthread_rwlock_init(lock, nil) }

  deinit {
    _ = unsafe pthread_rwlock_destroy(lock)
    unsafe lock.deallocate()
  }

  func reading<Result>(_ body: () -> Result) -> Result {
    _ = unsafe pthread_rwlock_rdlock(lock)
    defer { _ = unsafe pthread_rwlock_unlock(lock) }
    return body()
  }

  func writing<Result>(_ body: () -> Result) -> Result {
    _ = unsafe pthread_rwlock_wrlock(lock)
    defer { _ = unsafe pthread_rwlock_unlock(lock) }
    return body()
  }

  /// Runs `body` and returns true if the lock can be read at once.
  func tryReading(_ body: () -> Void = {}) -> Bool {
    guard unsafe pthread_rwlock_tryrdlock(lock) == 0 else { return false }
    body()
    _ = unsafe pthread_rwlock_unlock(lock)
    return true
  }

  /// Runs `body` and returns true if the lock can be written at once.
  func tryWriting(_ body: () -> Void = {}) -> Bool {
    guard unsafe pthread_rwlock_trywrlock(lock) == 0 else { return false }
    body()
    _ = unsafe pthread_rwlock_unlock(lock)
    return true
  }
}

/// A `pthread_mutex_t` that stays where it is.
@safe final class PosixMutex: @unchecked Sendable {
  // @unchecked Sendable because the C library guards what the address names.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() { _ = unsafe pthread_mutex_init(mutex, nil) }

  deinit {
    _ = unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs `body` and returns true if the mutex is free.
  func tryLock(_ body: () -> Void) -> Bool {
    guard unsafe pthread_mutex_trylock(mutex) == 0 else { return false }
    body()
    _ = unsafe pthread_mutex_unlock(mutex)
    return true
  }
}

/// A value that a lock of the program's guards.
final class Guarded<Value>: @unchecked Sendable {
  // @unchecked Sendable because it is reached under a lock only.
  var value: Value
  init(_ value: Value) { self.value = value }
}
