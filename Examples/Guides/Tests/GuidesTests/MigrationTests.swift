import SimulatorTesting
import Testing

@MainActor final class Countdown {
  private(set) var seconds = 3
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

  func run() async throws {
    while seconds > 0 {
      try await clock.sleep(for: .seconds(1))
      seconds -= 1
    }
  }
}

@Suite("What other tools did") @MainActor struct MigrationTests {
  // page: no-test-clock
  @Test(.simulated) func countsDown() async throws {
    let countdown = Countdown()
    async let running: Void = countdown.run()
    try await Task.sleep(for: .milliseconds(1500))
    #expect(countdown.seconds == 2)
    try await running
    #expect(countdown.seconds == 0)
  }
  // page: end

  // page: virtual-clock
  @Test func countsDownByHand() async throws {
    let clock = VirtualClock()
    let countdown = Countdown(clock: clock)
    let running = Task { try await countdown.run() }
    for _ in 1...3 {
      await clock.waitForSleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
    }
    try await running.value
    #expect(countdown.seconds == 0)
  }
  // page: end

  // page: one-order
  @Test(.simulated(schedules: 1)) func inTheNaturalOrder() async throws {
    let countdown = Countdown()
    try await countdown.run()
    #expect(countdown.seconds == 0)
  }
  // page: end
}
