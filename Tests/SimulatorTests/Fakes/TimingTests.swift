import Simulator
import Testing

@Suite struct TimingTests {
  @Test func `a range offers its ends and the timers pending inside it`() {
    let ends = Box<[Int64]>([])
    for taken in 0..<3 {
      let schedule = taken == 0 ? Schedule.natural : .only(0, taken, of: 3)
      let execution = simulate(schedule) { simulation in
        async let other: Void = Task.sleep(for: .seconds(2))
        try await Task.sleep(for: .milliseconds(1))
        let network = FakeNetwork(delay: .between(.milliseconds(999), and: .milliseconds(2_999)))
        try await network.exchange("GET /inbox") { _ in }
        ends.value.append(simulation.now.nanoseconds / 1_000_000)
        try await other
      }
      #expect(execution.choices.first == Schedule.Choice(kind: .delay, options: 3, taken: taken))
    }
    #expect(ends.value == [1_000, 3_000, 2_000])
  }

  @Test func `alternatives are offered in the order written`() {
    let execution = simulate(.only(0, 2, of: 3)) { _ in
      let timing = FakeTiming.oneOf(.seconds(3), .seconds(1), .seconds(2))
      try await FakeNetwork(delay: timing).exchange("GET /inbox") { _ in }
    }
    #expect(execution.end.nanoseconds == 2_000_000_000)
  }
}
