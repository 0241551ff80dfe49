import Simulator
import Testing

/// The connection is down from 2 s on, and there again at 12 s.
@Suite struct `A connection that is down for a while` {
  private static let justBefore = Duration.nanoseconds(1)

  private static func at(_ seconds: Int64) -> VirtualInstant {
    VirtualInstant(nanoseconds: seconds * 1_000_000_000)
  }

  /// When the server has acted on a request that begins at `begin`, how that ended, and when.
  private func ask(
    at begin: Duration = .zero, _ behavior: FakeBehavior, cancelledAfter cancel: Duration? = nil,
    _ schedule: Schedule = .natural
  ) -> (served: [Duration], outcome: String, end: Duration) {
    let seen = Box<(served: [Duration], end: Duration)>(([], .zero))
    let execution = simulate(schedule) { _ in
      let start = ContinuousClock.now
      let connection = FakeConnection.offline(from: .seconds(2), for: .seconds(10))
      let network = FakeNetwork(otherwise: behavior, connection: connection)
      if begin > .zero { try await Task.sleep(for: begin) }
      let asking = Task {
        try await network.exchange("POST /letter") { _ in
          seen.value.served.append(start.duration(to: .now))
        }
      }
      if let cancel {
        try await Task.sleep(for: cancel)
        asking.cancel()
      }
      _ = await asking.result
      seen.value.end = start.duration(to: .now)
    }
    return (seen.value.served, execution.outcomes.map(\.description).joined(), seen.value.end)
  }

  @Test(arguments: [
    (Duration.seconds(2) - justBefore, "returned"), (.seconds(2), "threw offline"),
    (.seconds(12) - justBefore, "threw offline"), (.seconds(12), "returned"),
  ])
  func `fails a request at once that begins in the period`(begin: Duration, outcome: String) {
    let (served, told, end) = ask(at: begin, FakeBehavior())
    #expect(told == outcome)
    #expect(served == (outcome == "returned" ? [begin] : []))
    #expect(end == begin)
  }

  @Test func `lets no time pass for a request that begins in the period`() {
    let (served, outcome, end) = ask(
      at: .seconds(3), FakeBehavior(arrivalDelay: .seconds(1), delay: .seconds(4), faults: [.beforeCommit]))
    #expect((served, outcome, end) == ([], "threw offline", .seconds(3)))
  }

  @Test(arguments: [Duration.seconds(2) - justBefore, .seconds(2), .seconds(5), .seconds(50)])
  func `loses a request on its way there, and the server never sees it`(delay: Duration) {
    let isBefore = delay < .seconds(2)
    let (served, outcome, end) = ask(FakeBehavior(delay: .fixed(delay)))
    #expect(outcome == (isBefore ? "returned" : "threw connection lost"))
    #expect(served == (isBefore ? [delay] : []))
    #expect(end == min(delay, .seconds(2)))
  }

  @Test(arguments: [Duration.seconds(1) - justBefore, .seconds(1), .seconds(60)])
  func `loses an answer on its way back, and what the server has done stays done`(back: Duration) {
    let isBefore = back < .seconds(1)
    let (served, outcome, end) = ask(FakeBehavior(arrivalDelay: .seconds(1), delay: .fixed(back)))
    #expect(outcome == (isBefore ? "returned" : "threw connection lost"))
    #expect(served == [.seconds(1)])
    #expect(end == min(.seconds(1) + back, .seconds(2)))
  }

  @Test func `lets a request through that begins when it is over`() {
    let (served, outcome, end) = ask(at: .seconds(12), FakeBehavior(delay: .seconds(3)))
    #expect((served, outcome, end) == ([.seconds(15)], "returned", .seconds(15)))
  }

  @Test(arguments: [
    (Schedule.natural, "returned", Duration.seconds(1)),
    (.only(0, 1, of: 2), "threw connection lost", .seconds(2)),
  ])
  func `ends a time that is a range in the moment in which it goes`(
    schedule: Schedule, outcome: String, end: Duration
  ) {
    let asked = ask(FakeBehavior(delay: .between(.seconds(1), and: .seconds(30))), schedule)
    #expect(asked.outcome == outcome)
    #expect(asked.end == end)
  }

  @Test(arguments: [false, true])
  func `fails a request too that ignores a cancel, and a cancel before is a cancel`(ignores: Bool) {
    let behavior = FakeBehavior(delay: .seconds(5), ignoresCancellation: [ignores])
    let (served, outcome, end) = ask(behavior, cancelledAfter: .seconds(1))
    #expect(outcome == (ignores ? "threw connection lost" : "was cancelled"))
    #expect(served == [])
    #expect(end == .seconds(ignores ? 2 : 1))
  }

  @Test func `is one for all that are given it, and tells it in their records`() {
    let lost = Box<[[Bool]]>([])
    let execution = simulate { _ in
      let connection = FakeConnection(offline: [
        .init(from: .seconds(2), for: .seconds(10)), .init(from: .seconds(20), for: .seconds(1)),
      ])
      let network = FakeNetwork(delay: .none, connection: connection)
      let tokens = FakeTokenService(
        ["refresh": [FakeBehavior(connection: connection)]], lifetime: .seconds(60))
      for _ in 1...4 {
        _ = try? await network.send(FakeNetwork.Request("GET", "/inbox"))
        _ = try? await tokens.refresh()
        try await Task.sleep(for: .seconds(7))
      }
      lost.value = [network.calls.map(\.lostConnection), tokens.calls.map(\.lostConnection)]
    }
    // At 0 s, 7 s, 14 s and 21 s.
    #expect(lost.value == [[false, true, false, false], [false, true, false, false]])
    #expect(execution.outcomes.filter { $0 == .threw("offline") }.count == 2)
    #expect(
      execution.kinds.filter { if case .offline = $0 { true } else { false } } == [
        .offline(from: Self.at(2), to: Self.at(12)), .offline(from: Self.at(20), to: Self.at(21)),
      ])
  }

  @Test func `leaves the calls alone that go over another`() {
    let execution = simulate { _ in
      let network = FakeNetwork([
        "GET /inbox": [FakeBehavior(connection: .offline(from: .none, for: .seconds(1)))]
      ])
      _ = try? await network.send(FakeNetwork.Request("GET", "/inbox"))
      _ = try? await network.exchange("GET /profile") { _ in }
    }
    #expect(execution.outcomes == [.threw("offline"), .returned(.none)])
  }
}

@Suite struct `The periods of a connection` {
  /// How many options each choice has, and when the connection is down.
  private func decided(
    _ schedule: Schedule, from: FakeTiming, for length: FakeTiming
  ) -> (options: [Int], down: [Range<Duration>]) {
    let down = Box<[Range<Duration>]>([])
    let execution = simulate(schedule) { _ in
      let now = ContinuousClock.now
      down.value = FakeConnection.offline(from: from, for: length).downtimes.map {
        now.duration(to: $0.lowerBound)..<now.duration(to: $0.upperBound)
      }
    }
    return (execution.choices.filter { $0.kind == .delay }.map(\.options), down.value)
  }

  @Test func `that last no time do not come, and leave nothing else to decide`() {
    let from = FakeTiming.oneOf(.seconds(1), .seconds(2))
    let (options, down) = decided(.natural, from: from, for: .oneOf(.zero, .seconds(5)))
    #expect(options == [2])
    #expect(down == [])
  }

  @Test func `are alternatives on the tape`() {
    let schedule = Schedule(deviations: [
      .init(position: 0, taken: 1, options: 2), .init(position: 1, taken: 1, options: 2),
    ])
    let from = FakeTiming.oneOf(.seconds(1), .seconds(2))
    let (options, down) = decided(schedule, from: from, for: .oneOf(.zero, .seconds(5)))
    #expect(options == [2, 2])
    #expect(down == [.seconds(2)..<Duration.seconds(7)])
  }

  @Test func `have their low ends by nature, and their high ends on the tape`() {
    let (from, length) = (
      FakeTiming.between(.seconds(1), and: .seconds(3)), FakeTiming.between(.seconds(5), and: .seconds(60))
    )
    #expect(decided(.natural, from: from, for: length).down == [.seconds(1)..<Duration.seconds(6)])
    let options = decided(.natural, from: from, for: length).options
    let schedule = Schedule(
      deviations: options.enumerated().map { .init(position: $0.offset, taken: 1, options: $0.element) })
    #expect(decided(schedule, from: from, for: length).down == [.seconds(3)..<Duration.seconds(63)])
  }
}

@Suite struct `A connection outside a simulation` {
  @Test func `is down in real time`() async throws {
    let network = FakeNetwork(delay: .none, connection: .offline(from: .none, for: .seconds(600)))
    await #expect(throws: FakeNetwork.Failure.offline) {
      try await network.send(FakeNetwork.Request("GET", "/inbox"))
    }
  }

  @Test func `goes in real time`() async throws {
    let network = FakeNetwork(
      delay: .seconds(600), connection: .offline(from: .milliseconds(50), for: .seconds(600)))
    await #expect(throws: FakeNetwork.Failure.connectionLost) {
      try await network.send(FakeNetwork.Request("GET", "/inbox"))
    }
  }
}
