import Simulator
import Testing

@Suite struct FakeNetworkTests {
  private let get = FakeNetwork.Request("GET", "/inbox")

  @Test func `a reply comes after the delay, in virtual time`() {
    let execution = simulate { [get] _ in
      let network = FakeNetwork(delay: .seconds(5))
      _ = try await network.send(get)
    }
    #expect(execution.endTime == VirtualInstant(nanoseconds: 5_000_000_000))
    #expect(execution.outcomes.map(\.description) == ["returned status: 200, body: \"\""])
  }

  @Test func `the n-th call of a route takes the n-th behavior, and the last repeats`() {
    let bodies = Box<[String]>([])
    _ = simulate { [get] _ in
      let network = FakeNetwork([
        "GET /inbox": [FakeBehavior(replies: [.ok("first")]), FakeBehavior(replies: [.ok("later")])]
      ])
      for _ in 1...3 { bodies.value.append(try await network.send(get).body) }
    }
    #expect(bodies.value == ["first", "later", "later"])
  }

  @Test(arguments: [(Schedule.natural, Int64(1)), (.only(0, 1, of: 2), 3)])
  func `a range of delays is a choice on the tape`(schedule: Schedule, seconds: Int64) {
    let execution = simulate(schedule) { [get] _ in
      _ = try await FakeNetwork(delay: .between(.seconds(1), and: .seconds(3))).send(get)
    }
    #expect(execution.choices.map(\.kind) == [.delay])
    #expect(execution.endTime.nanoseconds == seconds * 1_000_000_000)
  }

  @Test(arguments: [
    (Schedule.natural, Trace.Outcome.returned(.none)), (.only(0, 1, of: 2), .threw("offline")),
  ])
  func `alternative replies are a choice on the tape`(schedule: Schedule, outcome: Trace.Outcome) {
    let execution = simulate(schedule) { _ in
      let network = FakeNetwork(delay: .none, replies: [.ok(), .offline])
      try? await network.exchange("GET /inbox") { _ in }
    }
    #expect(execution.choices.map(\.kind) == [.alternative])
    #expect(execution.outcomes == [outcome])
  }

  @Test func `a call begins in its caller's step, on its caller's domain`() {
    let execution = simulate { [get] _ in
      let task = Task { @MainActor in _ = try await FakeNetwork(delay: .seconds(1)).send(get) }
      try await task.value
    }
    let began = execution.trace.events.first { if case .began = $0.kind { true } else { false } }
    let ended = execution.trace.events.first { if case .ended = $0.kind { true } else { false } }
    #expect(began.map { execution.trace.domains[$0.domain].type } == "MainActor")
    #expect(ended.map { execution.trace.domains[$0.domain].type } == "FakeNetwork")
  }

  @Test func `a cancelled call ends at once`() {
    let served = Box(false)
    let execution = simulate { _ in
      let network = FakeNetwork(delay: .seconds(5))
      let task = Task { try await network.exchange("GET /inbox") { _ in served.value = true } }
      try await Task.sleep(for: .seconds(2))
      task.cancel()
    }
    #expect(execution.endOfLastCall?.nanoseconds == 2_000_000_000)
    #expect(execution.outcomes == [.cancelled])
    #expect(execution.honored == [true])
    #expect(!served.value)
  }

  @Test func `a call that ignores cancellation goes on to its end, and the trace says so`() {
    let execution = simulate { _ in
      let network = FakeNetwork(delay: .seconds(5), ignoresCancellation: [true])
      let task = Task { try await network.exchange("GET /inbox") { _ in } }
      try await Task.sleep(for: .seconds(2))
      task.cancel()
    }
    #expect(execution.endTime.nanoseconds == 5_000_000_000)
    #expect(execution.outcomes == [.returned(.none)])
    #expect(execution.honored == [false])
  }

  @Test func `a call that is cancelled on its way to the network is cancelled in that step`() {
    let execution = simulate { simulation in
      let network = FakeNetwork(delay: .seconds(5))
      let task = Task { @MainActor in try await network.exchange("GET /inbox") { _ in } }
      await MainActor.run {}
      // The call has begun on the main actor; it has not arrived.
      task.cancel()
      simulation.record(.note("cancelled"))
      _ = await task.result
    }
    let order = execution.kinds.map { kind in
      switch kind {
      case .began: "began"
      case .taskCancelled: "cancels"
      case .cancellation: "cancellation"
      case .note: "note"
      case .ended: "ended"
      default: "other"
      }
    }
    #expect(order == ["began", "cancels", "cancellation", "note", "ended"])
  }

  @Test func `a call that begins in a cancelled task says so`() {
    let records = Box<[CallRecord]>([])
    _ = simulate { _ in
      let network = FakeNetwork(delay: .none)
      let task = Task { try await network.exchange("GET /inbox") { _ in } }
      task.cancel()
      _ = await task.result
      records.value = network.calls
    }
    #expect(records.value.map(\.requesterWasCancelledAtBegin) == [true])
    #expect(records.value.map(\.outcome) == [.cancelled])
  }

  @Test func `the work that an answer makes keeps the caller's domain closed`() {
    let time = Box(VirtualInstant.start)
    _ = simulate { simulation in
      let network = FakeNetwork(delay: .seconds(1), spend: .milliseconds(300))
      async let answer: Void = Task { @MainActor in try await network.exchange("GET /inbox") { _ in } }.value
      try await Task.sleep(for: .milliseconds(1_100))
      await MainActor.run { time.value = simulation.now }
      try await answer
    }
    #expect(time.value.nanoseconds == 1_300_000_000)
  }

  @Test(arguments: [
    (FakeFault.noFault, true, false), (.beforeCommit, false, true), (.afterCommit, true, true),
  ])
  func `a fault strikes before or after the server has seen the request`(
    fault: FakeFault, isServed: Bool, fails: Bool
  ) {
    let served = Box(false)
    let execution = simulate { _ in
      let network = FakeNetwork(delay: .none, faults: [fault])
      try? await network.exchange("POST /order") { _ in served.value = true }
    }
    #expect(served.value == isServed)
    #expect(execution.outcomes == [fails ? .threw("network failed to POST /order") : .returned(.none)])
  }

  @Test func `calls in flight and completed ones are on record, with what they were made with`() {
    let early = Box<[CallRecord]>([])
    let late = Box<[CallRecord]>([])
    _ = simulate { _ in
      let network = FakeNetwork(delay: .seconds(1))
      async let answer: Void = network.exchange("GET /inbox", "page 2") { _ in }
      try await Task.sleep(for: .milliseconds(500))
      early.value = network.calls
      try await answer
      late.value = network.calls
    }
    #expect(early.value.inFlight.map(\.call.detail) == ["page 2"])
    #expect(early.value.completed.isEmpty)
    #expect(late.value.inFlight.isEmpty)
    #expect(late.value.of("GET /inbox").completed.map(\.outcome) == [.returned(.none)])
  }
}

@Suite struct FakeNetworkOutsideASimulationTests {
  @Test func `it takes the natural choice and real time passes`() async throws {
    let network = FakeNetwork(
      delay: .between(.milliseconds(30), and: .seconds(60)), replies: [.ok("natural"), .offline],
      faults: [.noFault, .afterCommit])
    let begin = ContinuousClock.now
    let response = try await network.send(FakeNetwork.Request("GET", "/inbox"))
    #expect(response.body == "natural")
    #expect(begin.duration(to: .now) >= .milliseconds(30))
    #expect(network.calls.map(\.call.id) == [1])
  }

  @Test func `a cancelled call ends with a cancellation error`() async throws {
    let network = FakeNetwork(delay: .seconds(600))
    let task = Task { try await network.send(FakeNetwork.Request("GET", "/inbox")) }
    while network.calls.isEmpty { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(network.calls.map(\.outcome) == [.cancelled])
  }

  @Test func `a call that ignores cancellation goes on to its end`() async throws {
    let network = FakeNetwork(delay: .milliseconds(50), ignoresCancellation: [true])
    let task = Task { try await network.send(FakeNetwork.Request("GET", "/inbox")) }
    while network.calls.isEmpty { await Task.yield() }
    task.cancel()
    #expect(try await task.value.status == 200)
  }
}
