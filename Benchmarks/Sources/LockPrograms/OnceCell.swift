import Foundation
import Simulator
import Synchronization

extension LockProgram {
  /// Two tasks ask for a value that nobody has made.
  static let onceCell = LockProgram(
    "once-cell", .nsLock,
    "A task finds the cell empty in one critical section and marks it in the next: the value is made twice."
  ) { simulation, twin in
    let cell = OnceCell<Int>(twin)
    let made = Counter()
    async let first = cell.value { made.next() }
    async let second = cell.value { made.next() }
    let values = await [first, second]
    if values != [1, 1] { simulation.fail("made once", "\(values)") }
  }
}

/// Numbers from 1 on.
private final class Counter: Sendable {
  private let last = Atomic(0)
  func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

private final class OnceCell<Value: Sendable>: @unchecked Sendable {
  // @unchecked Sendable because `state` is reached under the lock only.
  private enum State {
    case empty
    case making([CheckedContinuation<Value, Never>])
    case made(Value)
  }

  private let lock = NSLock()
  private var state = State.empty
  private let twin: LockProgram.Twin

  init(_ twin: LockProgram.Twin) { self.twin = twin }

  func value(_ make: () async -> Value) async -> Value {
    guard claims() else { return await withCheckedContinuation(join) }
    let value = await make()
    for waiter in lock.withLock({ finish(value) }) { waiter.resume(returning: value) }
    return value
  }

  private func claims() -> Bool {
    switch twin {
    case .seeded:
      guard lock.withLock({ isEmpty }) else { return false }
      lock.withLock { state = .making([]) }
      return true
    case .mended:
      return lock.withLock {
        guard isEmpty else { return false }
        state = .making([])
        return true
      }
    }
  }

  private var isEmpty: Bool {
    if case .empty = state { true } else { false }
  }

  private func join(_ continuation: CheckedContinuation<Value, Never>) {
    let value: Value? = lock.withLock {
      if case .made(let value) = state { return value }
      if case .making(let waiters) = state { state = .making(waiters + [continuation]) }
      return nil
    }
    if let value { continuation.resume(returning: value) }
  }

  private func finish(_ value: Value) -> [CheckedContinuation<Value, Never>] {
    defer { state = .made(value) }
    if case .making(let waiters) = state { return waiters }
    return []
  }
}
