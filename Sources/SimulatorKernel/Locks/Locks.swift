internal import CConcurrencyHooks

/// The ledger of locks: who holds which lock, and which steps wait for a signal, a post or a read-write lock.
///
/// A signal is a choice of its own kind among the steps that wait for it, the oldest first. A broadcast, a post or an unlock
/// wakes all of them, and they try again. A wait with a time limit has a timer that no task waits for; the wait is over when
/// its step goes on, so that a signal at the same instant may still end it. A wait that nothing ends is a deadlock, or an escape
/// if a foreign thread could end it. A lock that a step of the program still holds when it ends is a violation.
///
/// Each of these steps is parked, and waits for a key of its own (``Wait/key``) that nothing else waits for, so that it
/// can be woken alone. To take or release a lock is O(1); everything else is O(what is held or waited for).
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
    /// The place where it was taken, and the callers; empty unless events are kept.
    let stack: [UInt]
    /// The number of times that its holder has taken it.
    fileprivate(set) var depth = 1
    /// The number of locks that were taken before this one.
    fileprivate var order = 0

    init(_ lock: UInt, _ kind: Kind, task: Int32, domain: Int32, thread: OpaquePointer, stack: [UInt] = []) {
      (self.lock, self.kind, self.task, self.domain, self.stack) = (lock, kind, task, domain, stack)
      unsafe self.thread = thread
    }
  }

  /// A parked step that waits.
  @safe struct Wait {
    let thread: OpaquePointer
    let subject: Subject
    /// The condition, the semaphore or the lock.
    let object: UInt
    let task: Int32
    /// The timer that ends the wait, if any, and when it does.
    let timer: UInt32?
    let limit: Int64
    /// The one-time initialization that it waits for, if any: the code that does it, and the task whose step runs that
    /// code.
    var making: (code: UInt, task: Int32)?
    /// True if others have ended it.
    var isFreed = false

    var key: UInt { unsafe UInt(bitPattern: thread) }

    /// True if Foundation has computed the limit from a `Date`. The subject says so of a sleep and of a run loop. Any other such
    /// limit was a `Double` of nanoseconds since 1970, so it is a multiple of their precision, as the virtual epoch is. Whole
    /// microseconds are exact.
    var isUntilDate: Bool {
      subject == .date || subject == .runLoop || limit % Locks.precisionOfDates == 0 && limit % 1_000 != 0
    }
  }

  /// The locks that only one step can hold, by address.
  private var exclusive: [UInt: Held] = [:]
  /// The read-write locks that steps hold for reading.
  private var reading: [Held] = []
  private(set) var waits: [Wait] = []
  /// The number of times in a row that a task has found its lock taken.
  private var passes: [Int32: (lock: UInt, count: Int)] = [:]
  private var taken = 0
  /// False once the execution is over, and its steps only run out.
  private(set) var areJudged = true

  /// True if no lock is held.
  var isEmpty: Bool { exclusive.isEmpty && reading.isEmpty }

  var isFresh: Bool { isEmpty && waits.isEmpty && passes.isEmpty && taken == 0 && areJudged }

  func removeAll() {
    if !exclusive.isEmpty { exclusive.removeAll(keepingCapacity: true) }
    if !reading.isEmpty { reading.removeAll(keepingCapacity: true) }
    if !waits.isEmpty { waits.removeAll(keepingCapacity: true) }
    if !passes.isEmpty { passes.removeAll(keepingCapacity: true) }
    (taken, areJudged) = (0, true)
  }

  /// Notes that the execution is over.
  func stopJudging() { areJudged = false }
}

extension Locks {
  /// How far apart, in nanoseconds, two limits are that come from consecutive values of a `Double` of nanoseconds since 1970.
  static let precisionOfDates: Int64 = 256

  typealias Kind = ch_lock_kind
  typealias Subject = ch_wait_subject
}

extension ch_lock_kind {
  /// The name of a lock that the program itself takes, and that only the same thread may release; nil for any other.
  var name: String? {
    switch self {
    case .library, .queue, .word: nil
    case .mutex: "a `pthread_mutex_t`"
    case .foundation: "an `NSLock` or `NSCondition`"
    case .recursive: "an `NSRecursiveLock`"
    case .reading: "a `pthread_rwlock_t` for reading"
    case .writing: "a `pthread_rwlock_t` for writing"
    }
  }

  var isReadWrite: Bool { self == .reading || self == .writing }
}

extension ch_wait_subject {
  /// The call by which the program escapes if a foreign thread could end the wait; nil if none could.
  var exit: String? {
    switch self {
    case .signal: "pthread_cond_wait"
    case .post, .group, .runLoop: "sem_wait"
    case .barrier: "pthread_barrier_wait"
    default: nil
    }
  }

  /// The calls by which a program waits for what others do.
  static let calls = [
    "pthread_cond_wait", "pthread_cond_timedwait", "sem_wait", "sem_timedwait", "pthread_barrier_wait",
    "dispatch_semaphore_wait", "dispatch_group_wait",
  ]
}

// MARK: - Held locks

extension Locks {
  func isHeld(_ lock: UInt) -> Bool { exclusive[lock] != nil || reading.contains { $0.lock == lock } }

  /// Returns what is held of `lock`; a read-write lock may have several readers.
  func holders(of lock: UInt) -> [Held] {
    exclusive[lock].map { [$0] } ?? reading.filter { $0.lock == lock }
  }

  /// Returns true if the step on the stack of `thread` holds a lock that the program itself has taken.
  func holdsAny(_ thread: OpaquePointer) -> Bool {
    reading.contains { unsafe $0.thread == thread }
      || exclusive.values.contains { unsafe $0.thread == thread && $0.kind.name != nil }
  }

  /// Notes that a step has taken a lock.
  func took(_ held: Held) {
    var held = held
    (held.order, taken) = (taken, taken + 1)
    if !passes.isEmpty, !held.kind.isReadWrite { passes[held.task] = nil }
    if held.kind != .reading {
      if exclusive[held.lock]?.task == held.task {
        exclusive[held.lock]?.depth += 1
      } else {
        exclusive[held.lock] = held
      }
    } else if let index = index(reading: held.lock, held.task) {
      reading[index].depth += 1
    } else {
      reading.append(held)
    }
  }

  /// Releases `lock` once for `task`. Returns what the task held, or what another task held if this one did not hold
  /// the lock. Its depth is 0 if that was the last time.
  func released(_ lock: UInt, _ task: Int32) -> Held? {
    if var held = exclusive[lock] {
      held.depth -= 1
      exclusive[lock] = held.depth > 0 ? held : nil
      return held
    }
    guard let index = index(reading: lock, task) ?? reading.firstIndex(where: { $0.lock == lock }) else {
      return nil
    }
    reading[index].depth -= 1
    let held = reading[index]
    if held.depth == 0 { reading.remove(at: index) }
    return held
  }

  private func index(reading lock: UInt, _ task: Int32) -> Int? {
    reading.firstIndex { $0.lock == lock && $0.task == task }
  }

  /// Notes that the step on the stack of `thread` has ended or was abandoned, and returns the locks that it still
  /// holds, in the order in which it has taken them. Reports still name its task as the holder.
  func ended(on thread: OpaquePointer) -> [Held] {
    var found: [Held] = []
    for (lock, held) in exclusive where unsafe held.thread == thread {
      found.append(held)
      unsafe exclusive[lock]?.thread = nil
    }
    for index in reading.indices where unsafe reading[index].thread == thread {
      found.append(reading[index])
      unsafe reading[index].thread = nil
    }
    return found.sorted { $0.order < $1.order }
  }

  /// Notes that a step of `task` has found `lock` taken.
  func passedOver(_ task: Int32, for lock: UInt) {
    let before = passes[task]
    passes[task] = (lock, before?.lock == lock ? (before?.count ?? 0) + 1 : 1)
  }

  /// True if `task` has lost its lock to others too often.
  func isStarved(_ task: Int32) -> Bool { (passes[task]?.count ?? 0) > Fairness.mostPasses }
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

extension Locks {
  /// Traps if the ledger contradicts itself. O(what is held or waited for).
  func _checkInvariants() {
    precondition(
      exclusive.allSatisfy { $0 == $1.lock && $1.kind != .reading && $1.depth > 0 && $1.order < taken })
    precondition(reading.allSatisfy { $0.kind == .reading && $0.depth > 0 && $0.order < taken })
    precondition(
      reading.allSatisfy { held in reading.count { $0.lock == held.lock && $0.task == held.task } == 1 })
    precondition(Set(waits.map(\.key)).count == waits.count)
  }
}
