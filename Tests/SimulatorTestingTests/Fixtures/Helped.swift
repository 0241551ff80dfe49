import Foundation
import SimulatorTesting
import Testing

/// Tests that call the same function, which expects in their place.
@Suite(.enabled(if: Fixtures.areEnabled)) struct Helped {
  @Test(.simulated) func finds() async { await withdrawsTwice() }

  @Test(.simulated) func findsInALock() async { await withdrawsTwiceInALock() }

  @Test(.simulated(replaying: Fixtures.token)) func replays() async {
    await withdrawsTwice()
  }

  @Test(.simulated(replaying: Fixtures.token)) func replaysInALock() async {
    await withdrawsTwiceInALock()
  }

  @Test(.simulated(replaying: Fixtures.token)) func replaysAnother() async {
    await withdrawsTwice(atLeast: -10)
  }

  private func withdrawsTwice(atLeast least: Int = 0) async {
    let account = Account()
    async let first: Void = account.withdraw(70)
    async let second: Void = account.withdraw(70)
    _ = await (first, second)
    let balance = await account.balance
    if least < 0 { #expect(balance >= least, "nearly") } else { #expect(balance >= 0, "never overdrawn") }
  }
}

private func withdrawsTwiceInALock() async {
  let (lock, log) = (NSLock(), Order())
  async let first: Void = { lock.withLock { log.order.append(1) } }()
  async let second: Void = { lock.withLock { log.order.append(2) } }()
  _ = await (first, second)
  if log.order != [1, 2] { Issue.record("out of order") }
}

private final class Order: @unchecked Sendable {
  // @unchecked Sendable because the lock guards it.
  var order: [Int] = []
}
