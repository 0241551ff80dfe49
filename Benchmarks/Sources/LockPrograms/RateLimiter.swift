import Foundation
import Simulator

extension LockProgram {
  /// Two requests come when one token is left.
  static let rateLimiter = LockProgram(
    "rate limiter", .nsLock,
    "The tokens are counted down outside of the lock: two requests pass with one token."
  ) { simulation, twin in
    let limiter = RateLimiter(burst: 1, twin)
    async let first = ask(limiter, simulation.now)
    async let second = ask(limiter, simulation.now)
    let passed = await [first, second].filter(\.self).count
    if passed != 1 { simulation.fail("one passes", "\(passed) passed with one token") }
  }
}

@concurrent private func ask(_ limiter: RateLimiter, _ now: VirtualInstant) async -> Bool {
  limiter.passes(at: now)
}

/// One token every second, and at most `burst` of them.
private final class RateLimiter: @unchecked Sendable {
  // @unchecked Sendable because what varies is meant to be reached under the lock only.
  private let lock = NSLock()
  private let burst: Int
  private var tokens: Int
  private var lastRefill = VirtualInstant(nanoseconds: 0)
  private let twin: LockProgram.Twin

  init(burst: Int, _ twin: LockProgram.Twin) {
    self.burst = burst
    tokens = burst
    self.twin = twin
  }

  func passes(at now: VirtualInstant) -> Bool {
    switch twin {
    case .seeded:
      let left = lock.withLock { refilled(at: now) }
      guard left > 0 else { return false }
      tokens = left - 1
      return true
    case .mended:
      return lock.withLock {
        guard refilled(at: now) > 0 else { return false }
        tokens -= 1
        return true
      }
    }
  }

  private func refilled(at now: VirtualInstant) -> Int {
    let seconds = Int(lastRefill.duration(to: now).components.seconds)
    if seconds > 0 {
      tokens = min(burst, tokens + seconds)
      lastRefill = lastRefill.advanced(by: .seconds(seconds))
    }
    return tokens
  }
}
