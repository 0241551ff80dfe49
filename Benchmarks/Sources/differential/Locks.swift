import Foundation
import Glibc
import PosixLock
import Synchronization

/// Two locks, each with a number that it guards; a condition; a semaphore; two atomics.
final class Locks: @unchecked Sendable {
  // @unchecked Sendable because the numbers are reached under their locks only, and `isSet` under the condition.
  private let locks: [any Lockable]
  private let numbers = [Number(), Number()]
  private let condition = NSCondition()
  private var isSet = false
  let semaphore = DispatchSemaphore(value: 0)
  private let words = [Word(), Word()]

  init(_ kinds: [Program.Lock]) {
    locks = kinds.map {
      switch $0 {
      case .nsLock: NSLock()
      case .timed: TimedLock()
      case .pthread: PosixLock()
      case .mutex: MutexLock()
      case .semaphore: SemaphoreLock()
      }
    }
  }

  /// What is left in the end, when nobody uses it any more.
  var text: String {
    (numbers.map(\.value) + words.map { $0.value.load(ordering: .relaxed) }).map { "\($0)" }
      .joined(separator: ",")
  }

  func run(_ kind: Program.Kind, _ point: Int, _ pacer: Pacer) -> String {
    switch kind {
    case .section(let lock, let section):
      return locked(lock, point, pacer) { within(section, lock) }
    case .twoSections(let lock):
      let seen = locked(lock, point, pacer) { numbers[lock].value }
      return locked(lock, point + 1, pacer) {
        numbers[lock].value = seen + 1
        return ""
      }
    case .nested: return nested(point, pacer)
    case .tries(let lock, let section):
      pacer.approach(point)
      let seen = locks[lock].triesLock { pacer.step(point) { within(section, lock) } }
      return seen ?? pacer.step(point) { "L" }
    case .post: pacer.step(point) { _ = semaphore.signal() }
    case .pend:
      pacer.approach(point)
      semaphore.wait()
      pacer.step(point) {}
    case .signal:
      inCondition(point, pacer, waits: false) {
        isSet = true
        condition.broadcast()
      }
    case .awaitSignal:
      inCondition(point, pacer, waits: true) {}
      return "s"
    default: return pacer.step(point) { atomic(kind) }
    }
    return ""
  }

  /// A point of a section comes when its task has the lock.
  private func locked<Result: Sendable>(
    _ lock: Int, _ point: Int, _ pacer: Pacer, _ body: () -> Result
  ) -> Result {
    pacer.approach(point)
    return locks[lock].withLock { pacer.step(point, body) }
  }

  private func within(_ section: Program.Section, _ lock: Int) -> String {
    switch section {
    case .read: return "l\(numbers[lock].value)"
    case .set(let value): numbers[lock].value = value
    case .add: numbers[lock].value += 1
    case .load(let word): return "x\(words[word].value.load(ordering: .sequentiallyConsistent))"
    }
    return ""
  }

  private func nested(_ point: Int, _ pacer: Pacer) -> String {
    pacer.approach(point)
    return locks[0].withLock {
      let seen = pacer.step(point) {
        numbers[0].value += 1
        return numbers[0].value
      }
      return locked(1, point + 1, pacer) {
        numbers[1].value += seen
        return "l\(numbers[1].value)"
      }
    }
  }

  private func inCondition(_ point: Int, _ pacer: Pacer, waits: Bool, _ body: () -> Void) {
    pacer.approach(point)
    condition.withLock {
      while waits, !isSet { condition.wait() }
      pacer.step(point, body)
    }
  }

  private func atomic(_ kind: Program.Kind) -> String {
    switch kind {
    case .load(let word): return "x\(words[word].value.load(ordering: .sequentiallyConsistent))"
    case .store(let word, let value): words[word].value.store(value, ordering: .sequentiallyConsistent)
    case .exchange(let word, let value):
      return "x\(words[word].value.exchange(value, ordering: .sequentiallyConsistent))"
    case .compareExchange(let word, let expected, let value):
      let (isDone, original) = words[word].value.compareExchange(
        expected: expected, desired: value, ordering: .sequentiallyConsistent)
      return isDone ? "y" : "n\(original)"
    case .increase(let word):
      return "x\(words[word].value.add(1, ordering: .sequentiallyConsistent).oldValue)"
    default: break
    }
    return ""
  }
}

/// What a lock guards: apart from what the other guards.
private final class Number {
  var value = 0
}

private final class Word: Sendable {
  let value = Atomic(0)
}

private protocol Lockable: Sendable {
  func withLock<Result: Sendable>(_ body: () -> Result) -> Result
  /// Nil where the lock is not free.
  func triesLock<Result: Sendable>(_ body: () -> Result) -> Result?
}

extension PosixLock: Lockable {
  fileprivate func withLock<Result: Sendable>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }

  fileprivate func triesLock<Result: Sendable>(_ body: () -> Result) -> Result? {
    guard tryLock() else { return nil }
    defer { unlock() }
    return body()
  }
}

extension NSLock: Lockable {
  fileprivate func withLock<Result: Sendable>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }

  fileprivate func triesLock<Result: Sendable>(_ body: () -> Result) -> Result? {
    guard `try`() else { return nil }
    defer { unlock() }
    return body()
  }
}

private final class TimedLock: Lockable {
  private let lock = NSLock()

  func withLock<Result: Sendable>(_ body: () -> Result) -> Result {
    guard lock.lock(before: Date(timeIntervalSinceNow: 60)) else { fatalError("a minute has passed") }
    defer { lock.unlock() }
    return body()
  }

  func triesLock<Result: Sendable>(_ body: () -> Result) -> Result? { lock.triesLock(body) }
}

/// The standard library's.
private final class MutexLock: Lockable {
  private let mutex = Mutex(())

  func withLock<Result: Sendable>(_ body: () -> Result) -> Result {
    mutex.withLock { _ in body() }
  }

  func triesLock<Result: Sendable>(_ body: () -> Result) -> Result? {
    mutex.withLockIfAvailable { _ in body() }
  }
}

/// One that is free has been posted.
private final class SemaphoreLock: Lockable {
  private let semaphore = DispatchSemaphore(value: 1)

  func withLock<Result: Sendable>(_ body: () -> Result) -> Result {
    semaphore.wait()
    defer { semaphore.signal() }
    return body()
  }

  func triesLock<Result: Sendable>(_ body: () -> Result) -> Result? {
    guard semaphore.wait(timeout: .now()) == .success else { return nil }
    defer { semaphore.signal() }
    return body()
  }
}
