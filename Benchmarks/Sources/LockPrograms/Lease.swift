import Simulator
import Synchronization

extension LockProgram {
  /// A lease is renewed in the moment in which it runs out.
  static let lease = LockProgram(
    "lease", .atomic,
    "The timer checks the generation, tells the watchers, and then notes the end: a renewal that was granted meanwhile "
      + "is lost."
  ) { simulation, twin in
    let (ends, watchers) = AsyncStream<Void>.makeStream()
    let lease = Lease(.milliseconds(10), watchers, twin)
    lease.start()
    let holder = Task {
      try? await Task.sleep(for: .milliseconds(10))
      return lease.renews() && !lease.isValid
    }
    if await holder.value { simulation.fail("a renewed lease is valid", "it was renewed, and is over") }
    _ = ends
  }
}

/// Valid while its number is even; each renewal adds two.
private final class Lease: Sendable {
  private let number = Atomic(0)
  private let duration: Duration
  private let watchers: AsyncStream<Void>.Continuation
  private let twin: LockProgram.Twin

  init(_ duration: Duration, _ watchers: AsyncStream<Void>.Continuation, _ twin: LockProgram.Twin) {
    self.duration = duration
    self.watchers = watchers
    self.twin = twin
  }

  var isValid: Bool { number.load(ordering: .acquiring).isMultiple(of: 2) }

  func start() { startTimer(number.load(ordering: .acquiring)) }

  func renews() -> Bool {
    let current = number.load(ordering: .acquiring)
    guard current.isMultiple(of: 2), changes(from: current, to: current + 2) else { return false }
    startTimer(current + 2)
    return true
  }

  private func startTimer(_ generation: Int) {
    Task {
      try? await Task.sleep(for: duration)
      runsOut(generation)
    }
  }

  private func runsOut(_ generation: Int) {
    switch twin {
    case .seeded:
      guard number.load(ordering: .acquiring) == generation else { return }
      watchers.yield()
      number.store(generation + 1, ordering: .releasing)
    case .mended:
      guard changes(from: generation, to: generation + 1) else { return }
      watchers.yield()
    }
  }

  private func changes(from old: Int, to new: Int) -> Bool {
    number.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
