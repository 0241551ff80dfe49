import Simulator
import Synchronization

extension LockProgram {
  /// Two tasks meet twice.
  static let barrier = LockProgram(
    "barrier", .mutex,
    "The last task to come wakes the others before it begins the next round: a fast one counts for the old round."
  ) { _, twin in
    let barrier = Barrier(parties: 2, twin)
    async let first: Void = meetTwice(barrier)
    async let second: Void = meetTwice(barrier)
    _ = await (first, second)
  }
}

@concurrent private func meetTwice(_ barrier: Barrier) async {
  await barrier.arrive()
  await barrier.arrive()
}

private final class Barrier: Sendable {
  private struct State {
    var arrived = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let parties: Int
  private let twin: LockProgram.Twin

  init(parties: Int, _ twin: LockProgram.Twin) {
    self.parties = parties
    self.twin = twin
  }

  func arrive() async {
    await withCheckedContinuation { continuation in
      let released: [CheckedContinuation<Void, Never>] = state.withLock { state in
        state.arrived += 1
        state.waiters.append(continuation)
        guard state.arrived == parties else { return [] }
        if twin == .mended { state.arrived = 0 }
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in released { waiter.resume() }
      if twin == .seeded, !released.isEmpty { state.withLock { $0.arrived = 0 } }
    }
  }
}
