import Foundation
import Glibc

/// A `pthread_rwlock_t` that stays where it is.
@safe final class ReadWriteLock: @unchecked Sendable {
  // @unchecked Sendable because the C library guards what the address names.
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  init() { _ = unsafe pthread_rwlock_init(lock, nil) }

  deinit { unsafe lock.deallocate() }

  func read() { _ = unsafe pthread_rwlock_rdlock(lock) }
  func write() { _ = unsafe pthread_rwlock_wrlock(lock) }
  func tryRead() -> Bool { unsafe pthread_rwlock_tryrdlock(lock) == 0 }
  func tryWrite() -> Bool { unsafe pthread_rwlock_trywrlock(lock) == 0 }
  func unlock() { _ = unsafe pthread_rwlock_unlock(lock) }

  func reading<Result>(_ body: () -> Result) -> Result {
    read()
    defer { unlock() }
    return body()
  }

  func writing<Result>(_ body: () -> Result) -> Result {
    write()
    defer { unlock() }
    return body()
  }
}

/// A `sem_t` that stays where it is.
@safe final class Semaphore: @unchecked Sendable {
  // @unchecked Sendable because the C library guards what the address names.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(_ value: UInt32) { _ = unsafe sem_init(semaphore, 0, value) }

  deinit { unsafe semaphore.deallocate() }

  func wait() { _ = unsafe sem_wait(semaphore) }
  func tryWait() -> Bool { unsafe sem_trywait(semaphore) == 0 }
  func post() { _ = unsafe sem_post(semaphore) }

  /// Whether it was posted in time; the error where it was not.
  func wait(seconds: Double) -> Int32 {
    var until = timespec(Date() + seconds)
    return unsafe sem_timedwait(semaphore, &until) == 0 ? 0 : errno
  }
}

/// A `pthread_barrier_t` that stays where it is.
@safe final class Barrier: @unchecked Sendable {
  // @unchecked Sendable because the C library guards what the address names.
  private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

  init(_ count: UInt32) { _ = unsafe pthread_barrier_init(barrier, nil, count) }

  deinit { unsafe barrier.deallocate() }

  /// Whether the caller is the one of all that is told so.
  @discardableResult func wait() -> Bool {
    unsafe pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD
  }
}

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
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  func lock() { _ = unsafe pthread_mutex_lock(mutex) }
  func unlock() { _ = unsafe pthread_mutex_unlock(mutex) }
  func wait() { _ = unsafe pthread_cond_wait(condition, mutex) }
  func signal() { _ = unsafe pthread_cond_signal(condition) }
  func broadcast() { _ = unsafe pthread_cond_broadcast(condition) }

  func wait(seconds: Double) -> Int32 {
    var until = timespec(Date() + seconds)
    return unsafe pthread_cond_timedwait(condition, mutex, &until)
  }

  /// The same by the clock that starts when the machine does.
  func waitMonotonic(seconds: Int) -> Int32 {
    var until = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &until)
    until.tv_sec += seconds
    typealias ClockWait =
      @convention(c) (
        UnsafeMutablePointer<pthread_cond_t>, UnsafeMutablePointer<pthread_mutex_t>, Int32,
        UnsafePointer<timespec>
      ) -> Int32
    return unsafe c("pthread_cond_clockwait", as: ClockWait.self)(condition, mutex, CLOCK_MONOTONIC, &until)
  }

  func withLock<Result>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }
}

extension timespec {
  init(_ date: Date) {
    let time = date.timeIntervalSince1970
    self.init(tv_sec: Int(time), tv_nsec: Int((time - time.rounded(.down)) * 1e9))
  }
}

/// A value that a lock of the program's guards.
final class Guarded<Value>: @unchecked Sendable {
  // @unchecked Sendable because it is reached under a lock only.
  var value: Value
  init(_ value: Value) { self.value = value }
}
