internal import CConcurrencyHooks

/// The locks that the program's steps hold, and the steps that wait for a signal, a post or a read-write lock.
///
/// Each of these steps is parked, and waits for a key of its own (``Wait/key``) that nothing else waits for, so that it
/// can be woken alone. Every operation is O(what is held or waited for).
@safe final class Locks: ExecutionTable {
  /// A lock that a step has taken.
  @safe struct Held {
    let lock: UInt
    let kind: Kind
    let task: Int32
    /// The domain on which it was taken.
    let domain: Int32
    /// The thread on whose stack the step has taken it; nil once that step has ended.
    var thread: OpaquePointer?
    /// The number of times that its holder has taken it.
    var depth: Int
    /// The place where it was taken, and the callers; empty unless events are kept.
    let stack: [UInt]
  }

  /// A parked step that waits.
  @safe struct Wait {
    let thread: OpaquePointer
    let subject: Subject
    /// The condition, the semaphore or the lock.
    let object: UInt
    let task: Int32
    /// The timer that ends the wait, if any.
    let timer: UInt32?
    /// The one-time initialization that it waits for, if any: the code that does it, and the task whose step runs that
    /// code.
    var making: (code: UInt, task: Int32)?
    /// True if others have ended it.
    var isFreed = false

    var key: UInt { unsafe UInt(bitPattern: thread) }
  }

  private(set) var held: [Held] = []
  private(set) var waits: [Wait] = []

  var isFresh: Bool { held.isEmpty && waits.isEmpty }

  func removeAll() {
    if !held.isEmpty { held.removeAll(keepingCapacity: true) }
    if !waits.isEmpty { waits.removeAll(keepingCapacity: true) }
  }
}

extension Locks {
  enum Kind: Int32 {
    case mutex = 1
    case foundation, recursive, reading, writing

    /// The name of the kind in a sentence.
    var name: String {
      switch self {
      case .mutex: "a `pthread_mutex_t`"
      case .foundation: "an `NSLock` or `NSCondition`"
      case .recursive: "an `NSRecursiveLock`"
      case .reading: "a `pthread_rwlock_t` for reading"
      case .writing: "a `pthread_rwlock_t` for writing"
      }
    }
  }

  enum Subject: Int32 {
    case signal, post, reading, writing, time, thread, barrier, once

    /// The call by which the program escapes if a foreign thread could end the wait; nil if none could.
    var exit: String? {
      switch self {
      case .signal: "pthread_cond_wait"
      case .post: "sem_wait"
      case .barrier: "pthread_barrier_wait"
      default: nil
      }
    }

    /// The calls by which a program waits for what others do.
    static let waits = [
      "pthread_cond_wait", "pthread_cond_timedwait", "sem_wait", "sem_timedwait", "pthread_barrier_wait",
      "dispatch_semaphore_wait", "dispatch_group_wait",
    ]
  }
}

// MARK: - Held locks

extension Locks {
  func isHeld(_ lock: UInt) -> Bool { held.contains { $0.lock == lock } }

  /// Returns true if the step on the stack of `thread` holds any lock.
  func holdsAny(_ thread: OpaquePointer) -> Bool { held.contains { unsafe $0.thread == thread } }

  func takes(_ new: Held) {
    if let index = held.firstIndex(where: { $0.lock == new.lock && $0.task == new.task }) {
      held[index].depth += 1
    } else {
      held.append(new)
    }
  }

  /// Releases `lock` once for `task`. Returns what the task held, or what another task held if this one did not hold
  /// the lock.
  func letsGo(_ lock: UInt, _ task: Int32) -> Held? {
    guard
      let index = held.firstIndex(where: { $0.lock == lock && $0.task == task })
        ?? held.firstIndex(where: { $0.lock == lock })
    else { return nil }
    held[index].depth -= 1
    return held[index].depth == 0 ? held.remove(at: index) : held[index]
  }

  /// Notes that the step on the stack of `thread` has ended, and returns the locks that it still holds.
  func ended(on thread: OpaquePointer) -> [Held] {
    var found: [Held] = []
    for index in held.indices where unsafe held[index].thread == thread {
      found.append(held[index])
      unsafe held[index].thread = nil
    }
    return found
  }
}

// MARK: - Waiting steps

extension Locks {
  func begins(_ wait: Wait) { waits.append(wait) }

  /// Ends the wait of the step on the stack of `thread`, and returns it.
  func ends(_ thread: OpaquePointer) -> Wait? {
    waits.firstIndex { unsafe $0.thread == thread }.map { waits.remove(at: $0) }
  }

  /// Returns the wait of the step on the stack of `thread`.
  func wait(_ thread: OpaquePointer) -> Wait? { waits.first { unsafe $0.thread == thread } }

  /// Returns the indices of the waits for `object` that nothing has ended yet, in the order in which they began.
  func waiting(for object: UInt) -> [Int] {
    waits.indices.filter { waits[$0].object == object && !waits[$0].isFreed }
  }

  func frees(_ index: Int) { waits[index].isFreed = true }
}
