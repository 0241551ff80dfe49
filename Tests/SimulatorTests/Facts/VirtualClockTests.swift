import Simulator
import Synchronization
import Testing

@Suite struct `A virtual clock` {
  /// Code that has its clock injected.
  private static func ticks(_ count: Int, every: Duration, on clock: any Clock<Duration>) async throws {
    for _ in 0..<count { try await clock.sleep(for: every) }
  }

  @Suite struct `inside a simulation` {
    @Test func `is the simulation's time`() {
      let execution = simulate { simulation in
        let clock = VirtualClock()
        let elapsed = try await clock.measure { try await ticks(3, every: .seconds(1), on: clock) }
        if elapsed != .seconds(3) || clock.now != simulation.now {
          simulation.fail("exact", "\(elapsed)")
        }
      }
      #expect(execution.violations.isEmpty, "\(execution.violations)")
      #expect(execution.endTime == VirtualInstant(nanoseconds: 3_000_000_000))
    }

    @Test func `is cut short by a cancel`() {
      let execution = simulate { simulation in
        let task = Task { try await VirtualClock().sleep(for: .seconds(10)) }
        try await Task.sleep(for: .seconds(1))
        task.cancel()
        if case .success = await task.result { simulation.fail("cancelled", "slept to its end") }
      }
      #expect(execution.violations.isEmpty)
      #expect(execution.endTime == VirtualInstant(nanoseconds: 1_000_000_000))
    }
  }

  @Suite struct `outside a simulation` {
    private let clock = VirtualClock()
    private let order = Order()

    private final class Order: Sendable {
      private let names = Mutex<[String]>([])
      func add(_ name: String) { names.withLock { $0.append(name) } }
      var all: [String] { names.withLock(\.self) }
    }

    @Test func `stands still`() async throws {
      try await Task.sleep(for: .milliseconds(2))
      #expect(clock.now == .start)
    }

    @Test func `wakes its sleepers when it is advanced, in the order of their deadlines`() async throws {
      async let late: Void = { [clock, order] in
        try await clock.sleep(for: .seconds(2))
        order.add("late")
      }()
      async let early: Void = { [clock, order] in
        try await clock.sleep(for: .seconds(1))
        order.add("early")
      }()
      await clock.waitForSleepers(atLeast: 2)
      await clock.advance(by: .milliseconds(999))
      #expect(order.all.isEmpty)
      await clock.advance(by: .seconds(5))
      _ = try await (late, early)
      #expect(order.all == ["early", "late"])
      #expect(clock.now == VirtualInstant(nanoseconds: 5_999_000_000))
    }

    @Test func `goes from deadline to deadline`() async throws {
      let ticks = Task { [clock] in try await `A virtual clock`.ticks(3, every: .seconds(1), on: clock) }
      for _ in 0..<3 {
        await clock.waitForSleepers(atLeast: 1)
        await clock.advance(by: .seconds(1))
      }
      try await ticks.value
      #expect(clock.now == VirtualInstant(nanoseconds: 3_000_000_000))
    }

    @Test func `does not keep whose deadline has passed`() async throws {
      await clock.advance(to: VirtualInstant(nanoseconds: 10))
      try await clock.sleep(until: VirtualInstant(nanoseconds: 10))
      await clock.advance(to: .start)
      #expect(clock.now == VirtualInstant(nanoseconds: 10))
    }

    @Test func `lets a cancelled sleeper go at once, and others sleep on`() async throws {
      let cancelled = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
      let other = Task { [clock] in try await clock.sleep(for: .seconds(1), tolerance: .seconds(9)) }
      await clock.waitForSleepers(atLeast: 2)
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      #expect(clock.now == .start)
      await clock.advance(by: .seconds(1))
      try await other.value
    }

    @Test func `refuses a task that was cancelled before it slept`() async {
      let task = Task { [clock] in
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try await clock.sleep(for: .seconds(1))
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `runs until no task sleeps`() async throws {
      let sleepers = (1...5).map { number in Task { [clock] in try await clock.sleep(for: .seconds(number)) }
      }
      await clock.waitForSleepers(atLeast: 5)
      await clock.run()
      for sleeper in sleepers { try await sleeper.value }
      #expect(clock.now == VirtualInstant(nanoseconds: 5_000_000_000))
    }

    @Test func `serves many tasks at once`() async throws {
      let moving = Task { [clock] in while !Task.isCancelled { await clock.advance(by: .milliseconds(1)) } }
      await withTaskGroup { group in
        for number in 0..<200 {
          group.addTask { [clock] in
            let sleeper = Task { try await clock.sleep(for: .milliseconds(number % 7 + 1)) }
            if number.isMultiple(of: 3) { sleeper.cancel() }
            _ = await sleeper.result
          }
        }
      }
      moving.cancel()
      #expect(clock.now >= VirtualInstant(nanoseconds: 7_000_000))
    }
  }
}
