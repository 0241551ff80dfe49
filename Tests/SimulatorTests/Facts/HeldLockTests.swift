import Foundation
import Simulator
import SimulatorStrategies
import Testing

@Suite struct `A lock that is held across a suspension` {
  private func explored(_ body: @escaping @Sendable () async -> Void) -> Explorer.Report {
    SmallProgram("held") { _ in
      await body()
      return ""
    }.outcomes(
      Strategies.RandomWalk(), schedules: 200, options: Simulation.Options(steps: .preemptible)
    ).1
  }

  private func expectViolation(
    _ kind: String, _ what: String, _ body: @escaping @Sendable () async -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let violations = explored(body).violations
    #expect(
      violations.map(\.invariant) == [Invariant.BuiltIn.lockHeldAcrossSuspension], sourceLocation: location)
    #expect(violations.first?.diagnosis == .lockHeldAcrossSuspension, sourceLocation: location)
    let message = violations.first?.message ?? ""
    #expect(
      message.contains(" \(what) and still holds \(kind), taken at "), "\(message)", sourceLocation: location)
    #expect(message.contains("HeldLockTests.swift:"), "\(message)", sourceLocation: location)
  }

  @Test func `is told of every kind of lock, with the place at which it was taken`() {
    expectViolation("an `NSLock` or `NSCondition`", "suspends") {
      let lock = NSLock()
      take(lock)
      await Task.yield()
      open(lock)
    }
    expectViolation("an `NSLock` or `NSCondition`", "suspends") {
      let condition = NSCondition()
      take(condition)
      await Task.yield()
      open(condition)
    }
    expectViolation("an `NSRecursiveLock`", "suspends") {
      let lock = NSRecursiveLock()
      take(lock)
      try? await Task.sleep(for: .seconds(1))
    }
    expectViolation("a `pthread_mutex_t`", "suspends") {
      let condition = Condition()
      condition.lock()
      await Task.yield()
      condition.unlock()
    }
    expectViolation("a `pthread_rwlock_t` for reading", "suspends") {
      let lock = ReadWriteLock()
      lock.read()
      await Task.yield()
      lock.unlock()
    }
    expectViolation("a `pthread_rwlock_t` for writing", "suspends") {
      let lock = ReadWriteLock()
      lock.write()
      await Task.yield()
      lock.unlock()
    }
  }

  @Test func `is told of a task that ends with it`() {
    expectViolation("an `NSLock` or `NSCondition`", "ends") {
      let lock = NSLock()
      await Task { take(lock) }.value
    }
  }

  @Test func `is not told where every step opens what it takes`() {
    let report = explored {
      let (lock, recursive) = (NSLock(), NSRecursiveLock())
      let (condition, readers) = (Condition(), ReadWriteLock())
      async let other: Void = lock.withLock { condition.withLock { condition.signal() } }
      recursive.withLock { recursive.withLock {} }
      readers.reading { readers.reading {} }
      lock.withLock {}
      takesIfFree(lock)
      await other
      await Task.yield()
    }
    #expect(report.violations.isEmpty, "\(report.violations.map(\.message))")
  }

  @Test func `is not told of a step that stands, nor of a semaphore, nor of an NSConditionLock`() {
    let report = explored {
      let (turn, semaphore) = (NSConditionLock(condition: 0), Semaphore(1))
      let lock = NSLock()
      semaphore.wait()
      take(turn)
      async let other = lock.withLock { Task {} }
      _ = lock.withLock { Task {} }
      _ = await other
      open(turn)
      semaphore.post()
    }
    #expect(report.violations.isEmpty, "\(report.violations.map(\.message))")
  }

  @Test func `is not told of the main actor, where one thread runs all`() {
    let report = explored { await onMain() }
    #expect(report.violations.isEmpty, "\(report.violations.map(\.message))")
  }

  @Test func `is told where the main actor's lock is opened elsewhere`() {
    expectViolation("an `NSLock` or `NSCondition`", "opens it elsewhere") { await leavesMain() }
  }
}

private func take(_ lock: some NSLocking) { lock.lock() }
private func open(_ lock: some NSLocking) { lock.unlock() }

private func takesIfFree(_ lock: NSLock) {
  guard lock.try() else { return }
  lock.unlock()
}

@MainActor private func onMain() async {
  let lock = NSLock()
  take(lock)
  await Task.yield()
  open(lock)
}

@MainActor private func leavesMain() async {
  let lock = NSLock()
  take(lock)
  await elsewhere(lock)
}

@concurrent private func elsewhere(_ lock: NSLock) async { open(lock) }
