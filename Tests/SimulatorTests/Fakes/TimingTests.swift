import Simulator
import Testing

@Suite struct TimingTests {
  /// A call that takes 0.999 to 2.999 s from 1 ms on, beside a sleep of 2 s.
  private func end(_ deviations: (position: Int, taken: Int, options: Int)...) -> (Int64, [Int]) {
    let end = Box<Int64>(0)
    let schedule = Schedule(
      deviations: deviations.map { .init(position: $0.position, taken: $0.taken, options: $0.options) })
    let execution = simulate(schedule) { simulation in
      async let other: Void = Task.sleep(for: .seconds(2))
      try await Task.sleep(for: .milliseconds(1))
      let network = FakeNetwork(delay: .between(.milliseconds(999), and: .milliseconds(2_999)))
      try await network.exchange("GET /inbox") { _ in }
      end.value = simulation.now.nanoseconds / 1_000_000
      try await other
    }
    return (end.value, execution.choices.filter { $0.kind == .delay }.map(\.options))
  }

  @Test func `a range ends at its low end, or is put off, and then ends at any stop of time or its high end`()
  {
    // At the low end: it ends, or not yet. Before 2 s: not yet, or together with the sleep. Then: not yet, or now.
    #expect(end() == (1_000, [2]))
    #expect(end((0, 1, 2)) == (3_000, [2, 2, 2]))
    #expect(end((0, 1, 2), (1, 1, 2)) == (2_000, [2, 2]))
    #expect(end((0, 1, 2), (2, 1, 2)) == (2_000, [2, 2, 2]))
  }

  @Test func `a call that ignores a cancel goes on to an end within its range`() {
    let ends = Box<Set<Int64>>([])
    let report = exhaust(schedules: 200) { simulation in
      let network = FakeNetwork(
        delay: .between(.seconds(1), and: .seconds(4)), ignoresCancellation: [true])
      let call = Task { try await network.exchange("PUT /letter") { _ in } }
      try await Task.sleep(for: .seconds(2))
      call.cancel()
      try await call.value
      ends.value.insert(simulation.now.nanoseconds / 1_000_000_000)
    }
    #expect(report.violations.isEmpty)
    #expect(ends.value == [2, 4])
  }

  @Test func `alternatives are offered in the order written`() {
    let execution = simulate(.only(0, 2, of: 3)) { _ in
      let timing = FakeTiming.oneOf(.seconds(3), .seconds(1), .seconds(2))
      try await FakeNetwork(delay: timing).exchange("GET /inbox") { _ in }
    }
    #expect(execution.endTime.nanoseconds == 2_000_000_000)
  }
}
