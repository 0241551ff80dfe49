import Foundation
import Simulator
import SimulatorStrategies
import Testing

/// A lock that can be tried, and taken.
struct TriedLock: Sendable, CustomStringConvertible {
  let description: String
  /// Makes one, and returns how to take it, how to try to take it, and how to release it.
  let make:
    @Sendable () -> (
      take: @Sendable () -> Void, tries: @Sendable () -> Bool, release: @Sendable () -> Void
    )

  static let all = [
    TriedLock(description: "NSLock") {
      let lock = NSLock()
      return ({ lock.lock() }, { lock.try() }, { lock.unlock() })
    },
    TriedLock(description: "NSRecursiveLock") {
      let lock = NSRecursiveLock()
      return ({ lock.lock() }, { lock.try() }, { lock.unlock() })
    },
    TriedLock(description: "NSConditionLock") {
      let lock = NSConditionLock(condition: 0)
      return ({ _ = lock.lock(before: Date(timeIntervalSinceNow: 60)) }, { lock.try() }, { lock.unlock() })
    },
    TriedLock(description: "pthread_mutex_t") {
      let locks = CLocks()
      return ({ locks.lock() }, { locks.tryLock() }, { locks.unlock() })
    },
    TriedLock(description: "pthread_rwlock_t, to write") {
      let locks = CLocks()
      return ({ locks.lockToWrite() }, { locks.tryToWrite() }, { locks.unlockReadWrite() })
    },
    TriedLock(description: "pthread_rwlock_t, to read while another writes") {
      let locks = CLocks()
      return ({ locks.lockToWrite() }, { locks.tryToRead() }, { locks.unlockReadWrite() })
    },
    TriedLock(description: "sem_t") {
      let locks = CLocks(posts: 1)
      return ({ locks.wait() }, { locks.tryWait() }, { locks.post() })
    },
    TriedLock(description: "DispatchSemaphore") {
      let semaphore = DispatchSemaphore(value: 1)
      return (
        { semaphore.wait() }, { semaphore.wait(timeout: .now()) == .success }, { semaphore.signal() }
      )
    },
  ]
}

@Suite struct `Who only tries` {
  private static func program(_ lock: TriedLock, bothTry: Bool) -> SmallProgram {
    SmallProgram(lock.description) { _ in
      let (notes, (take, tries, release)) = (Notes(), lock.make())
      async let first: Void = {
        if !bothTry { take() } else if !tries() { return notes.note("b") }
        notes.note("x")
        release()
      }()
      async let second: Void = {
        guard tries() else { return notes.note("b") }
        notes.note("x")
        release()
      }()
      _ = await (first, second)
      return notes.all
    }
  }

  @Test(arguments: TriedLock.all)
  func `finds a lock taken in the middle of what another does with it`(_ lock: TriedLock) {
    // Readers do not keep each other out.
    for bothTry in lock.description.contains("to read") ? [false] : [false, true] {
      let program = Self.program(lock, bothTry: bothTry)
      let expected: Set = ["xx", "xb", "bx"]
      for steps: Simulation.Options.Steps in [.asNeeded, .preemptible] {
        let (random, _) = program.outcomes(
          .portfolio, schedules: 1_000, options: Simulation.Options(steps: steps))
        #expect(random == expected, "\(steps)")
      }
      let (reduced, report) = program.allOutcomes(.reduced)
      // It does not follow the `Mutex` of the notes, and so not their order.
      #expect(Set(reduced.map { $0.sorted() }) == [["x", "x"], ["b", "x"]])
      #expect(report.coverage != nil, "\(report.incompleteCoverageText ?? "")")
    }
  }

  @Test(arguments: TriedLock.all.filter { !$0.description.contains("to read") })
  func `finds it taken by default, where the lock is all that two tasks share`(_ lock: TriedLock) {
    let program = SmallProgram(lock.description) { _ in
      let (_, tries, release) = lock.make()
      let once: @Sendable () -> Bool = {
        guard tries() else { return false }
        release()
        return true
      }
      async let first = once()
      async let second = once()
      return await "\(first) \(second)"
    }
    let (found, report) = program.outcomes(.portfolio, schedules: 1_000, options: Simulation.Options())
    #expect(found == ["true true", "true false", "false true"])
    #expect(report.hasPreemptibleSteps)
  }

  @Test func `finds it free at the first, the second or the third try, or never`() {
    let program = SmallProgram("three tries") { _ in
      let lock = NSLock()
      async let holder: Void = lock.withLock {}
      async let other: String = {
        for round in 1...3 where lock.try() {
          lock.unlock()
          return "\(round)"
        }
        return "never"
      }()
      await holder
      return await other
    }
    let expected: Set = ["1", "2", "3", "never"]
    let options = Simulation.Options(steps: .preemptible)
    #expect(program.outcomes(.portfolio, schedules: 2_000, options: options).outcomes == expected)
    let (reduced, report) = program.allOutcomes(.reduced)
    #expect(reduced == expected)
    #expect(report.coverage != nil, "\(report.incompleteCoverageText ?? "")")
  }

  @Test func `withholds its claim where a step keeps trying`() {
    let program = SmallProgram("ten tries") { _ in
      let lock = NSLock()
      async let holder: Void = lock.withLock {}
      async let tries: Int = (1...10).filter { _ in
        guard lock.try() else { return false }
        lock.unlock()
        return true
      }.count
      await holder
      return await "\(tries)"
    }
    let (_, report) = program.allOutcomes(.reduced)
    #expect(report.coverage == nil)
    #expect(report.incompleteCoverageText?.contains("a lock that a step keeps trying to take") == true)
  }

  /// Dispatch tries whether the item is done, and then waits: it must not end in between, unseen.
  @Test func `is not who waits for a work item or a group`() {
    let program = SmallProgram("waits for work") { _ in
      // Safe: a work item may be waited for on any thread.
      nonisolated(unsafe) let item = DispatchWorkItem {}
      let group = DispatchGroup()
      await withCheckedContinuation { waiting in
        unsafe DispatchQueue.global().async(execute: item)
        DispatchQueue.global().async(group: group) {}
        DispatchQueue.global().async {
          unsafe item.wait()
          group.wait()
          waiting.resume()
        }
      }
      return "done"
    }
    let (found, report) = program.outcomes(
      .portfolio, schedules: 1_000, options: Simulation.Options(steps: .preemptible))
    #expect(found == ["done"])
    #expect(report.violations.isEmpty)
  }
}
