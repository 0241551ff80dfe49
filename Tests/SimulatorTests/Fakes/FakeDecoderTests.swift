import Simulator
import Testing

@Suite struct FakeDecoderTests {
  private static let heavy = FakeTiming.milliseconds(300)

  @Test func `work closes its caller's actor until it is done`() {
    let moments = Box<[VirtualInstant]>([])
    let execution = simulate { simulation in
      let decoding = Task { @MainActor in
        try await FakeDecoder(spend: Self.heavy).work("decode") { _ in moments.value.append(simulation.now) }
      }
      try await Task.sleep(for: .milliseconds(100))
      await MainActor.run { moments.value.append(simulation.now) }
      try await decoding.value
    }
    #expect(moments.value.map(\.nanoseconds) == [300_000_000, 300_000_000])
    #expect(execution.trace.events.contains { $0.kind == .spent(.milliseconds(300)) })
  }

  @Test func `on the concurrent pool work does not hold up other tasks`() {
    let execution = simulate { _ in
      let decoder = FakeDecoder(spend: Self.heavy)
      async let first: Void = decoder.work("decode") { _ in }
      async let second: Void = decoder.work("decode") { _ in }
      _ = try await (first, second)
    }
    #expect(execution.endTime.nanoseconds == 300_000_000)
  }

  @Test func `a call begins and ends on its caller's domain`() {
    let execution = simulate { _ in
      let task = Task { @MainActor in try await FakeDecoder(spend: Self.heavy).work("decode") { _ in } }
      try await task.value
    }
    let domains = execution.trace.events.compactMap { event in
      switch event.kind {
      case .began, .ended: execution.trace.domains[event.domain].type
      default: nil
      }
    }
    #expect(domains == ["MainActor", "MainActor"])
  }

  @Test func `a cancel does not cut work short, and the trace says so`() {
    let numbers = Box<[Int]>([])
    let execution = simulate { _ in
      let task = Task { numbers.value.append(try await FakeDecoder(spend: Self.heavy).work("decode") { $0 }) }
      try await Task.sleep(for: .milliseconds(100))
      task.cancel()
      try await task.value
    }
    #expect(numbers.value == [1])
    #expect(execution.honored == [false])
    #expect(execution.endTime.nanoseconds == 300_000_000)
  }

  @Test func `the n-th call of an operation takes the n-th behavior, and the last repeats`() {
    let execution = simulate { _ in
      let decoder = FakeDecoder([
        "decode": [FakeBehavior(spend: .seconds(1)), FakeBehavior(spend: .milliseconds(1))]
      ])
      for _ in 1...3 { try await decoder.work("decode") { _ in } }
    }
    #expect(execution.endTime.nanoseconds == 1_002_000_000)
  }

  @Test func `work that fails has taken its time and makes nothing`() {
    let made = Box(0)
    let execution = simulate { _ in
      let decoder = FakeDecoder(spend: Self.heavy, faults: [.beforeCommit])
      try? await decoder.work("decode") { _ in made.value += 1 }
      #expect(decoder.calls.completed.count == 1)
    }
    #expect(made.value == 0)
    #expect(execution.endTime.nanoseconds == 300_000_000)
    #expect(execution.outcomes == [.threw("decoder failed to decode")])
  }
}
