import Simulator
import Synchronization

extension LockProgram {
  /// Two tasks fulfill one promise.
  static let promise = LockProgram(
    "promise", .mutex,
    "A task asks in one critical section whether the promise is fulfilled, and fulfills it in the next: both win."
  ) { simulation, twin in
    let promise = Promise(twin)
    async let first = fulfill(promise, with: 1)
    async let second = fulfill(promise, with: 2)
    _ = await promise.value
    let wins = await [first, second].filter(\.self).count
    if wins != 1 { simulation.fail("one wins", "\(wins) were told that they have fulfilled the promise") }
  }
}

@concurrent private func fulfill(_ promise: Promise, with value: Int) async -> Bool {
  promise.fulfill(with: value)
}

private final class Promise: Sendable {
  private enum State {
    case pending([CheckedContinuation<Int, Never>])
    case fulfilled(Int)

    var isFulfilled: Bool {
      if case .fulfilled = self { true } else { false }
    }

    mutating func fulfill(with value: Int) -> [CheckedContinuation<Int, Never>] {
      defer { self = .fulfilled(value) }
      if case .pending(let waiters) = self { return waiters }
      return []
    }
  }

  private let state = Mutex(State.pending([]))
  private let twin: LockProgram.Twin

  init(_ twin: LockProgram.Twin) { self.twin = twin }

  var value: Int {
    get async {
      await withCheckedContinuation { continuation in
        let value: Int? = state.withLock { state in
          switch state {
          case .fulfilled(let value): return value
          case .pending(let waiters):
            state = .pending(waiters + [continuation])
            return nil
          }
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }

  /// Answers whether this value is the one.
  func fulfill(with value: Int) -> Bool {
    let waiters: [CheckedContinuation<Int, Never>]?
    switch twin {
    case .seeded:
      let isFulfilled = state.withLock { $0.isFulfilled }
      waiters = isFulfilled ? nil : state.withLock { $0.fulfill(with: value) }
    case .mended:
      waiters = state.withLock { $0.isFulfilled ? nil : $0.fulfill(with: value) }
    }
    for waiter in waiters ?? [] { waiter.resume(returning: value) }
    return waiters != nil
  }
}
