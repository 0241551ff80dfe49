import Foundation
import Simulator
import Testing

@Suite struct `A call with a way back` {
  /// What a server has charged, and how the customer's request ended when it was cancelled at `cancel`.
  private func charge(
    _ behavior: FakeBehavior, cancelledAt cancel: Duration? = nil
  ) -> (charged: [String], execution: Simulation.Execution) {
    let charged = Box<[String]>([])
    let execution = simulate { simulation in
      let network = FakeNetwork(["POST /charge": [behavior]])
      let paying = Task {
        try await network.exchange("POST /charge") { _ in charged.value.append("\(simulation.now)") }
      }
      if let cancel {
        try await Task.sleep(for: cancel)
        paying.cancel()
      }
      _ = await paying.result
    }
    return (charged.value, execution)
  }

  private static let slow = FakeBehavior(arrivalDelay: .seconds(1), delay: .seconds(3))

  @Test func `takes effect when it arrives, and returns when it is back`() {
    let (charged, execution) = charge(Self.slow)
    #expect(charged == ["1 s"])
    #expect(execution.outcomes == [.returned(.none)])
    #expect(execution.endTime == VirtualInstant(nanoseconds: 4_000_000_000))
  }

  @Test func `that is cancelled on the way there never takes effect`() {
    let (charged, execution) = charge(Self.slow, cancelledAt: .milliseconds(500))
    #expect(charged == [])
    #expect(execution.outcomes == [.cancelled])
    #expect(execution.endTime == VirtualInstant(nanoseconds: 500_000_000))
  }

  @Test func `that is cancelled on the way back has taken effect, and the trace tells both`() {
    let (charged, execution) = charge(Self.slow, cancelledAt: .seconds(2))
    #expect(charged == ["1 s"])
    #expect(execution.outcomes == [.cancelled])
    let told = execution.trace.events.compactMap { event -> String? in
      switch event.kind {
      case .effect(_, let effect): "\(event.time): \(effect)"
      case .cancellation(_, let honored): "\(event.time): cancel, honored: \(honored)"
      case .ended(_, let outcome): "\(event.time): \(outcome)"
      default: nil
      }
    }
    #expect(told == ["1 s: served", "2 s: cancel, honored: true", "2 s: was cancelled"])
  }

  @Test func `that ignores a cancel comes back`() {
    var behavior = Self.slow
    behavior.ignoresCancellation = [true]
    let (charged, execution) = charge(behavior, cancelledAt: .seconds(2))
    #expect(charged == ["1 s"])
    #expect(execution.outcomes == [.returned(.none)])
    #expect(execution.endTime == VirtualInstant(nanoseconds: 4_000_000_000))
  }

  @Test(arguments: [
    (FakeFault.beforeCommit, charged: 0, seconds: Int64(1)), (.afterCommit, charged: 1, seconds: 4),
  ])
  func `learns of a fault where it is`(fault: FakeFault, charged: Int, seconds: Int64) {
    var behavior = Self.slow
    behavior.faults = [fault]
    let (served, execution) = charge(behavior)
    #expect(served.count == charged)
    #expect(execution.outcomes == [.threw("network failed to POST /charge")])
    #expect(execution.endTime == VirtualInstant(nanoseconds: seconds * 1_000_000_000))
  }

  @Test func `brings back what the server throws`() {
    struct Declined: Error {}
    let execution = simulate { _ in
      let network = FakeNetwork(arrivalDelay: .seconds(1), delay: .seconds(3))
      try? await network.exchange("POST /charge") { _ in throw Declined() }
    }
    #expect(execution.outcomes == [.threw("Declined()")])
    #expect(execution.endTime == VirtualInstant(nanoseconds: 4_000_000_000))
  }

  @Test func `has its two ways decided on the tape`() {
    let way = FakeTiming.between(.seconds(1), and: .seconds(3))
    let (charged, execution) = charge(FakeBehavior(arrivalDelay: way, delay: way))
    #expect(charged == ["1 s"])
    #expect(execution.choices.map(\.kind) == [.delay, .delay])
  }

  @Test(arguments: [Duration.milliseconds(500), .milliseconds(1_500)])
  func `is the same at a store`(cancel: Duration) {
    let values = Box<[Int?]>([])
    let execution = simulate { _ in
      let store = FakeStore(["transaction": [Self.slow], "write": [Self.slow]])
      let saving = Task {
        async let a: Void = store.transaction([.set("a", 1)])
        async let b: Void = store.transaction { $0.write(1, for: "b") }
        async let c: Void = store.write(1, for: "c")
        _ = await [try? a, try? b, try? c]
      }
      try await Task.sleep(for: cancel)
      saving.cancel()
      await saving.value
      for key in ["a", "b", "c"] { values.value.append(await store.value(key, as: Int.self)) }
    }
    #expect(values.value == (cancel > .seconds(1) ? [1, 1, 1] : [nil, nil, nil]))
    #expect(execution.outcomes == [.cancelled, .cancelled, .cancelled])
  }

  @Test func `is the same at a token service`() {
    let isGood = Box(false)
    let execution = simulate { _ in
      let tokens = FakeTokenService(["refresh": [Self.slow]], lifetime: .seconds(60))
      let refreshing = Task { try await tokens.refresh() }
      try await Task.sleep(for: .seconds(2))
      refreshing.cancel()
      _ = await refreshing.result
      isGood.value = tokens.accepts("token 1")
    }
    #expect(isGood.value)
    #expect(execution.outcomes == [.cancelled])
  }
}

@Suite struct `A cancel as URLSession tells it` {
  @Test func `is what a network throws that was told to, and a cancel in the trace`() {
    let thrown = Box("nothing")
    let execution = simulate { _ in
      let network = FakeNetwork(
        otherwise: FakeBehavior(delay: .seconds(1)), cancellation: URLError(.cancelled))
      let asking = Task { try await network.exchange("GET /inbox") { _ in } }
      try await Task.sleep(for: .milliseconds(500))
      asking.cancel()
      if case .failure(let error as URLError) = await asking.result {
        thrown.value = "\(error.code == .cancelled)"
      }
    }
    #expect(thrown.value == "true")
    #expect(execution.outcomes == [.cancelled])
  }

  @Test func `is the outcome of an action that throws it, and other errors are not`() {
    #expect(Trace.Outcome.failure(URLError(.cancelled)) == .cancelled)
    #expect(Trace.Outcome.failure(CancellationError()) == .cancelled)
    #expect(Trace.Outcome.failure(URLError(.timedOut)) != .cancelled)
    #expect(Trace.Outcome.failure(NSError(domain: "mine", code: -999)) != .cancelled)
  }
}
