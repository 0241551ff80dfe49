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
        let (memory, queue) = (CLocks(), DispatchQueue(label: "q"))
        let isOpen = Mutex(false)
        queue.async {
          pthread_mutex_lock(memory.mutex)
          while !isOpen.withLock({ $0 }) { pthread_cond_wait(memory.condition, memory.mutex) }
          pthread_mutex_unlock(memory.mutex)
          notes.note("0")
        }
        isOpen.withLock { $0 = true }
        pthread_cond_signal(memory.condition)
        notes.note("m")
        queue.drain()
      },
      Freeing(blocking: "sem_post") { notes in
        let (memory, queue) = (CLocks(), DispatchQueue(label: "q"))
        queue.async {
          sem_wait(memory.semaphore)
          notes.note("0")
        }
        sem_post(memory.semaphore)
        notes.note("m")
        queue.drain()
      },
    ] + ofUnlocks

  private static let ofUnlocks = [
    unlocking("NSLock.unlock", NSLock()) {
      $0.lock()
    } unlock: {
      $0.unlock()
    },
    unlocking("NSLocking.withLock", NSLock()) {
      $0.lock()
    } unlock: {
      $0.unlock()
    },
    unlocking("NSRecursiveLock.unlock", NSRecursiveLock()) {
      $0.lock()
    } unlock: {
      $0.unlock()
    },
    unlocking("NSCondition.unlock", NSCondition()) {
      $0.lock()
    } unlock: {
      $0.unlock()
    },
    unlocking("pthread_mutex_unlock", CLocks()) {
      pthread_mutex_lock($0.mutex)
    } unlock: {
      pthread_mutex_unlock($0.mutex)
    },
    unlocking("pthread_rwlock_unlock", CLocks()) {
      pthread_rwlock_wrlock($0.readWriteLock)
    } unlock: {
      pthread_rwlock_unlock($0.readWriteLock)
    },
    Freeing(blocking: "Mutex.withLock") { notes in
      let (mutex, queue) = (Shared(), DispatchQueue(label: "q"))
      mutex.value.withLock { _ in queue.async { mutex.value.withLock { _ in notes.note("0") } } }
      notes.note("m")
      queue.drain()
    },
  ]

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
final class CLocks: @unchecked Sendable {
  // @unchecked Sendable because only the C library changes what the pointers point to.
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  let readWriteLock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
    pthread_rwlock_init(readWriteLock, nil)
    sem_init(semaphore, 0, 0)
  }

  deinit {
    mutex.deallocate()
    condition.deallocate()
    readWriteLock.deallocate()
    semaphore.deallocate()
  }
}
