import Foundation
import Simulator
import SimulatorStrategies
import Testing

/// A lock that can be waited for until a time limit.
struct TimedLock: Sendable, CustomStringConvertible {
  let description: String
  /// Makes one. Returns how to take it, how to take it within so many seconds, and how to release it.
  let make:
    @Sendable () -> (
      take: @Sendable () -> Void, takesWithin: @Sendable (TimeInterval) -> Bool, release: @Sendable () -> Void
    )

  static let all = [
    TimedLock(description: "NSLock") {
      let lock = NSLock()
      return ({ lock.lock() }, { lock.lock(before: Date(timeIntervalSinceNow: $0)) }, { lock.unlock() })
    },
    TimedLock(description: "NSRecursiveLock") {
      let lock = NSRecursiveLock()
      return ({ lock.lock() }, { lock.lock(before: Date(timeIntervalSinceNow: $0)) }, { lock.unlock() })
    },
    TimedLock(description: "pthread_mutex_timedlock") {
      let locks = TimedCLocks()
      return ({ locks.lock() }, { locks.locks(within: $0) }, { locks.unlock() })
    },
    TimedLock(description: "pthread_rwlock_timedrdlock") {
      let locks = TimedCLocks()
      return ({ locks.lockToWrite() }, { locks.reads(within: $0) }, { locks.unlockReadWrite() })
    },
    TimedLock(description: "pthread_rwlock_timedwrlock") {
      let locks = TimedCLocks()
      return ({ locks.lockToWrite() }, { locks.writes(within: $0) }, { locks.unlockReadWrite() })
    },
    TimedLock(description: "pthread_rwlock_timedwrlock, against a reader") {
      let locks = TimedCLocks()
      return ({ locks.lockToRead() }, { locks.writes(within: $0) }, { locks.unlockReadWrite() })
    },
  ]
}

@safe private final class TimedCLocks: @unchecked Sendable {
  // @unchecked Sendable because only the C library changes what the pointers point to.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let readWriteLock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  init() {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_rwlock_init(readWriteLock, nil)
  }

  deinit {
    unsafe mutex.deallocate()
    unsafe readWriteLock.deallocate()
  }

  private func limit(in seconds: TimeInterval) -> timespec {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    time.tv_sec += Int(seconds)
    return time
  }

  func lock() { unsafe pthread_mutex_lock(mutex) }
  func locks(within seconds: TimeInterval) -> Bool {
    var limit = limit(in: seconds)
    return unsafe pthread_mutex_timedlock(mutex, &limit) == 0
  }
  func unlock() { unsafe pthread_mutex_unlock(mutex) }
  func lockToRead() { unsafe pthread_rwlock_rdlock(readWriteLock) }
  func lockToWrite() { unsafe pthread_rwlock_wrlock(readWriteLock) }
  func reads(within seconds: TimeInterval) -> Bool {
    var limit = limit(in: seconds)
    return unsafe pthread_rwlock_timedrdlock(readWriteLock, &limit) == 0
  }
  func writes(within seconds: TimeInterval) -> Bool {
    var limit = limit(in: seconds)
    return unsafe pthread_rwlock_timedwrlock(readWriteLock, &limit) == 0
  }
  func unlockReadWrite() { unsafe pthread_rwlock_unlock(readWriteLock) }
}

@Suite struct `A lock with a time limit` {
  /// One task holds the lock for so many seconds, and another one waits for it at most `limit` seconds. The outcome says if it
  /// got the lock, and after how many seconds.
  private static func program(_ lock: TimedLock, heldFor hold: UInt32, limit: TimeInterval) -> SmallProgram {
    SmallProgram(lock.description) { _ in
      let (take, takesWithin, release) = lock.make()
      async let holder: Void = {
        take()
        if hold > 0 { sleep(hold) }
        release()
      }()
      async let other: String = {
        let start = ContinuousClock.now
        let isTaken = takesWithin(limit)
        let waited = (ContinuousClock.now - start).components.seconds
        if isTaken { release() }
        return "\(isTaken) after \(waited) s"
      }()
      await holder
      return await other
    }
  }

  private func expect(
    _ expected: Set<String>, of lock: TimedLock, heldFor hold: UInt32, limit: TimeInterval,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let program = Self.program(lock, heldFor: hold, limit: limit)
    for steps: Simulation.Options.Steps in [.asNeeded, .preemptible] {
      let (found, report) = program.outcomes(
        .portfolio, schedules: 500, options: Simulation.Options(steps: steps))
      #expect(found == expected, "\(steps)", sourceLocation: sourceLocation)
      #expect(report.violations.isEmpty, sourceLocation: sourceLocation)
    }
    let (reduced, report) = program.allOutcomes(.reduced)
    #expect(reduced == expected, sourceLocation: sourceLocation)
    #expect(report.coverage != nil, "\(report.incompleteCoverageText ?? "")", sourceLocation: sourceLocation)
  }

  @Test(arguments: TimedLock.all)
  func `is waited for, where the holder does not need the time`(_ lock: TimedLock) {
    expect(["true after 0 s"], of: lock, heldFor: 0, limit: 60)
  }

  @Test(arguments: TimedLock.all)
  func `is given up at the limit, where the holder needs longer`(_ lock: TimedLock) {
    expect(["true after 0 s", "false after 1 s"], of: lock, heldFor: 2, limit: 1)
  }

  @Test(arguments: TimedLock.all)
  func `is taken when the holder releases it before the limit`(_ lock: TimedLock) {
    expect(["true after 0 s", "true after 2 s"], of: lock, heldFor: 2, limit: 3)
  }

  @Test(arguments: TimedLock.all)
  func `may be missed or taken, where the holder releases it at the limit`(_ lock: TimedLock) {
    expect(["true after 0 s", "true after 1 s", "false after 1 s"], of: lock, heldFor: 1, limit: 1)
  }

  @Test(arguments: TimedLock.all)
  func `is only tried, where the limit has passed`(_ lock: TimedLock) {
    expect(["true after 0 s", "false after 0 s"], of: lock, heldFor: 0, limit: -1)
  }

  @Test func `whose holder waits for another one until its own limit is no deadlock`() {
    let program = SmallProgram("Two locks, taken in opposite orders") { _ in
      let (one, two) = (NSLock(), NSLock())
      let both: @Sendable (NSLock, NSLock) -> Bool = { first, second in
        first.lock()
        defer { first.unlock() }
        guard second.lock(before: Date(timeIntervalSinceNow: 1)) else { return false }
        second.unlock()
        return true
      }
      async let first = both(one, two)
      async let second = both(two, one)
      return await "\(first) \(second)"
    }
    let (found, report) = program.outcomes(
      .portfolio, schedules: 1_000, options: Simulation.Options(steps: .preemptible))
    #expect(found.isSuperset(of: ["true true", "false true", "true false"]))
    #expect(report.violations.isEmpty)
  }
}
