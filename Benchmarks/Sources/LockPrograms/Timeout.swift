import Simulator
import Synchronization

extension LockProgram {
  /// An operation takes exactly as long as it may.
  static let timeout = LockProgram(
    "timeout", .atomic,
    "The operation checks whether the time is over, and ignores that its compare-exchange fails after that: the "
      + "continuation is resumed twice."
  ) { _, twin in
    _ = try? await withTimeout(.milliseconds(10), twin) {
      try? await Task.sleep(for: .milliseconds(10))
      return 1
    }
    // So that nothing is left to happen when the program returns.
    try? await Task.sleep(for: .milliseconds(10))
  }
}

private struct TimedOut: Error {}

@concurrent private func withTimeout(
  _ duration: Duration, _ twin: LockProgram.Twin, _ operation: @escaping @Sendable () async -> Int
) async throws -> Int {
  try await withCheckedThrowingContinuation { continuation in
    let race = Race(continuation, twin)
    let timer = Task {
      try await Task.sleep(for: duration)
      race.timedOut()
    }
    Task { race.ended(with: await operation(), timer) }
  }
}

private final class Race: Sendable {
  private let isOver = Atomic(false)
  private let continuation: CheckedContinuation<Int, any Error>
  private let twin: LockProgram.Twin

  init(_ continuation: CheckedContinuation<Int, any Error>, _ twin: LockProgram.Twin) {
    self.continuation = continuation
    self.twin = twin
  }

  func timedOut() {
    if wins() { continuation.resume(throwing: TimedOut()) }
  }

  func ended(with value: Int, _ timer: Task<Void, any Error>) {
    switch twin {
    case .seeded:
      guard !isOver.load(ordering: .acquiring) else { return }
      timer.cancel()
      _ = wins()
    case .mended:
      guard wins() else { return }
      timer.cancel()
    }
    continuation.resume(returning: value)
  }

  private func wins() -> Bool {
    isOver.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
  }
}
