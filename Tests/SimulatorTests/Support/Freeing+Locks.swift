import Foundation
import Synchronization

extension Freeing {
  static let ofLocks =
    [
      Freeing(blocking: "NSCondition.broadcast") { notes in
        let (condition, queue) = (NSCondition(), DispatchQueue(label: "q"))
        let isOpen = Mutex(false)
        queue.async {
          condition.withLock { while !isOpen.withLock({ $0 }) { condition.wait() } }
          notes.note("0")
        }
        isOpen.withLock { $0 = true }
        condition.broadcast()
        notes.note("m")
        queue.drain()
      },
      Freeing(blocking: "pthread_cond_signal") { notes in
        let (locks, queue) = (CLocks(), DispatchQueue(label: "q"))
        let isOpen = Mutex(false)
        queue.async {
          locks.lock()
          while !isOpen.withLock({ $0 }) { locks.waitForSignal() }
          locks.unlock()
          notes.note("0")
        }
        isOpen.withLock { $0 = true }
        locks.signal()
        notes.note("m")
        queue.drain()
      },
      Freeing(blocking: "pthread_barrier_wait") { notes in
        let (locks, queue) = (CLocks(), DispatchQueue(label: "q"))
        queue.async {
          locks.comeToBarrier()
          notes.note("0")
        }
        locks.comeToBarrier()
        notes.note("m")
        queue.drain()
      },
      Freeing(blocking: "pthread_create") { notes in
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(notes).toOpaque()
        unsafe pthread_create(
          &thread, nil,
          { context in
            if let context = unsafe context {
              unsafe Unmanaged<Notes>.fromOpaque(context).takeRetainedValue().note("0")
            }
            return nil
          }, context)
        notes.note("m")
        pthread_join(thread, nil)
      },
      Freeing(blocking: "sem_post") { notes in
        let (locks, queue) = (CLocks(), DispatchQueue(label: "q"))
        queue.async {
          locks.wait()
          notes.note("0")
        }
        locks.post()
        notes.note("m")
        queue.drain()
      },
    ] + ofUnlocks

  private static let ofUnlocks = [
    unlocking("NSLock.unlock", NSLock()),
    unlocking("NSRecursiveLock.unlock", NSRecursiveLock()),
    unlocking("NSCondition.unlock", NSCondition()),
    Freeing(blocking: "NSLocking.withLock") { notes in
      let (lock, queue) = (NSLock(), DispatchQueue(label: "q"))
      lock.withLock { queue.async { lock.withLock { notes.note("0") } } }
      notes.note("m")
      queue.drain()
    },
    unlocking("pthread_mutex_unlock", CLocks()) {
      $0.lock()
    } unlock: {
      $0.unlock()
    },
    unlocking("pthread_rwlock_unlock", CLocks()) {
      $0.lockToWrite()
    } unlock: {
      $0.unlockReadWrite()
    },
    Freeing(blocking: "Mutex.withLock") { notes in
      let (mutex, queue) = (Shared(), DispatchQueue(label: "q"))
      mutex.value.withLock { _ in queue.async { mutex.value.withLock { _ in notes.note("0") } } }
      notes.note("m")
      queue.drain()
    },
  ]

  private static func unlocking(
    _ name: String, _ lock: @autoclosure @escaping @Sendable () -> some NSLocking & Sendable
  ) -> Freeing {
    unlocking(name, lock()) { lock in
      lock.lock()
    } unlock: { lock in
      lock.unlock()
    }
  }

  /// An unlock, for which a block of a queue waits.
  private static func unlocking<Lock: Sendable>(
    _ name: String, _ lock: @autoclosure @escaping @Sendable () -> Lock,
    lock take: @escaping @Sendable (Lock) -> Void, unlock: @escaping @Sendable (Lock) -> Void
  ) -> Freeing {
    Freeing(blocking: name) { notes in
      let (lock, queue) = (lock(), DispatchQueue(label: "q"))
      take(lock)
      queue.async {
        take(lock)
        notes.note("0")
        unlock(lock)
      }
      unlock(lock)
      notes.note("m")
      queue.drain()
    }
  }
}

private final class Shared: Sendable { let value = Mutex(()) }

/// Locks of the C library, on the heap.
@safe final class CLocks: @unchecked Sendable {
  // @unchecked Sendable because only the C library changes what the pointers point to.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let readWriteLock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(posts: UInt32 = 0) {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
    unsafe pthread_rwlock_init(readWriteLock, nil)
    unsafe pthread_barrier_init(barrier, nil, 2)
    unsafe sem_init(semaphore, 0, posts)
  }

  deinit {
    unsafe mutex.deallocate()
    unsafe condition.deallocate()
    unsafe readWriteLock.deallocate()
    unsafe barrier.deallocate()
    unsafe semaphore.deallocate()
  }

  func lock() { unsafe pthread_mutex_lock(mutex) }
  func tryLock() -> Bool { unsafe pthread_mutex_trylock(mutex) == 0 }
  func unlock() { unsafe pthread_mutex_unlock(mutex) }
  func waitForSignal() { unsafe pthread_cond_wait(condition, mutex) }
  func signal() { unsafe pthread_cond_signal(condition) }
  func lockToWrite() { unsafe pthread_rwlock_wrlock(readWriteLock) }
  func tryToWrite() -> Bool { unsafe pthread_rwlock_trywrlock(readWriteLock) == 0 }
  func tryToRead() -> Bool { unsafe pthread_rwlock_tryrdlock(readWriteLock) == 0 }
  func unlockReadWrite() { unsafe pthread_rwlock_unlock(readWriteLock) }
  /// Blocks until two have come.
  func comeToBarrier() { unsafe pthread_barrier_wait(barrier) }
  func wait() { unsafe sem_wait(semaphore) }
  func tryWait() -> Bool { unsafe sem_trywait(semaphore) == 0 }
  func post() { unsafe sem_post(semaphore) }
}
