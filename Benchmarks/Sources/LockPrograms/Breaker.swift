import Simulator
import Synchronization

extension LockProgram {
  /// Two calls come when an open breaker may be tried again.
  static let breaker = LockProgram(
    "circuit breaker", .atomic,
    "The failure of the compare-exchange that makes the breaker half open is ignored: two probes go out."
  ) { simulation, twin in
    let breaker = Breaker(twin)
    async let first = ask(breaker)
    async let second = ask(breaker)
    let probes = await [first, second].filter(\.self).count
    if probes != 1 { simulation.fail("one probe", "\(probes) calls went out") }
  }
}

@concurrent private func ask(_ breaker: Breaker) async -> Bool { breaker.letsPass() }

/// A breaker that has been open for long enough to be tried.
private final class Breaker: Sendable {
  private enum State: Int, AtomicRepresentable {
    case closed
    case open
    case halfOpen
  }

  private let state = Atomic(State.open)
  private let twin: LockProgram.Twin

  init(_ twin: LockProgram.Twin) { self.twin = twin }

  func letsPass() -> Bool {
    switch state.load(ordering: .acquiring) {
    case .closed: return true
    case .halfOpen: return false
    case .open:
      let (isMine, _) = state.compareExchange(
        expected: .open, desired: .halfOpen, ordering: .acquiringAndReleasing)
      return twin == .seeded || isMine
    }
  }

  func succeeded() { state.store(.closed, ordering: .releasing) }
  func failed() { state.store(.open, ordering: .releasing) }
}
