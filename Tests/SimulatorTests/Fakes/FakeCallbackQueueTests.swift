import Simulator
import Testing

@Suite struct FakeCallbackQueueTests {
  private static let second = ["ask": [FakeBehavior(delay: .seconds(1))]]

  /// What a callback got, in words.
  private static func words(_ result: Result<Int, any Error>) -> String {
    switch result {
    case .success(let answer): "\(answer)"
    case .failure(let error): error is CancellationError ? "cancelled" : "\(error)"
    }
  }

  /// What the callbacks of `body`'s requests got, with the seconds at which they came.
  private func callbacks(
    _ queue: @escaping @Sendable () -> FakeCallbackQueue, until limit: Duration = .seconds(60),
    _ body:
      @escaping @Sendable (_ ask: @escaping @Sendable () -> FakeCallbackQueue.Handle) async throws -> Void
  ) -> (heard: [String], execution: Simulation.Execution) {
    let heard = Box<[String]>([])
    let execution = simulate { simulation in
      let queue = queue()
      try await body {
        queue.request("ask", serving: { $0.number }) { result in
          heard.value.append("\(Self.words(result)) at \(simulation.now)")
        }
      }
    }
    return (heard.value, execution)
  }

  @Test(arguments: [FakeCallbackQueue.Kind.serial, .concurrent])
  func `a callback comes once, after the delay`(kind: FakeCallbackQueue.Kind) {
    let (heard, execution) = callbacks({ FakeCallbackQueue(Self.second, kind: kind) }) { ask in
      _ = ask()
      _ = ask()
    }
    #expect(heard == ["1 at 1 s", "2 at 1 s"])
    #expect(execution.outcomes == [.returned(.none), .returned(.none)])
  }

  @Test func `a suspended queue never calls back, what it was asked is done, and nothing waits for it`() {
    let (heard, execution) = callbacks({ FakeCallbackQueue(Self.second, kind: .suspended) }) { _ = $0() }
    #expect(heard == [])
    #expect(execution.violations.isEmpty && execution.warnings.isEmpty)
    #expect(execution.outcomes == [.returned(.none)])
  }

  @Test func `a failure is called back`() {
    let (heard, _) = callbacks({ FakeCallbackQueue(["ask": [FakeBehavior(replies: [.offline])]]) }) {
      _ = $0()
    }
    #expect(heard == ["offline at 0 s"])
  }

  @Test func `a cancelled request calls back at once, with the cancel`() {
    let (heard, execution) = callbacks({ FakeCallbackQueue(Self.second) }) { ask in
      let handle = ask()
      try await Task.sleep(for: .milliseconds(200))
      handle.cancel()
      handle.cancel()
    }
    #expect(heard == ["cancelled at 200 ms"])
    #expect(execution.outcomes == [.cancelled])
    #expect(execution.honored.first == true)
  }

  @Test func `a cancelled request may stay silent`() {
    let (heard, execution) = callbacks({ FakeCallbackQueue(Self.second, afterCancel: .silent) }) { ask in
      let handle = ask()
      try await Task.sleep(for: .milliseconds(200))
      handle.cancel()
    }
    #expect(heard == [])
    #expect(execution.outcomes == [.cancelled])
  }

  @Test func `a request that ignores its cancel is answered`() {
    let deaf = ["ask": [FakeBehavior(delay: .seconds(1), ignoresCancellation: [true])]]
    let (heard, execution) = callbacks({ FakeCallbackQueue(deaf) }) { ask in
      let handle = ask()
      try await Task.sleep(for: .milliseconds(200))
      handle.cancel()
    }
    #expect(heard == ["1 at 1 s"])
    #expect(execution.honored == [false])
  }

  @Test func `a cancel that comes after the answer changes nothing`() {
    let (heard, execution) = callbacks({ FakeCallbackQueue(Self.second) }) { ask in
      let handle = ask()
      try await Task.sleep(for: .seconds(2))
      handle.cancel()
    }
    #expect(heard == ["1 at 1 s"])
    #expect(execution.honored == [])
  }

  @Test func `between the answer and its callback others can act`() {
    for kind in [FakeCallbackQueue.Kind.serial, .concurrent] {
      let report = explore(schedules: 200) { simulation in
        let queue = FakeCallbackQueue(Self.second, kind: kind)
        let isCancelled = Box(false)
        let handle = queue.request("ask", serving: { _ in 1 }) { result in
          if isCancelled.value, Self.words(result) == "1" { simulation.fail("late", "came after the cancel") }
        }
        try await Task.sleep(for: .seconds(1))
        handle.cancel()
        isCancelled.value = true
      }
      #expect(report.violations.map(\.invariant) == ["late"])
    }
  }

  @Test func `a serial queue is a domain of its own, and a concurrent one the pool`() {
    for (kind, domain) in [(FakeCallbackQueue.Kind.serial, "FakeCallbackQueue"), (.concurrent, "pool")] {
      let execution = simulate { simulation in
        FakeCallbackQueue(kind: kind).request("ask", serving: { _ in }) { _ in
          simulation.record(.note("called back"))
        }
      }
      let callback = execution.trace.events.last { $0.kind == .note("called back") }
      #expect(callback.map { execution.trace.domains[$0.domain].type } == domain)
    }
  }

  @Test func `a callback that keeps a serial queue busy delays the next one`() {
    let busy = ["ask": [FakeBehavior(spend: .milliseconds(300))]]
    let (heard, _) = callbacks({ FakeCallbackQueue(busy) }) { ask in
      _ = ask()
      _ = ask()
    }
    #expect(heard == ["1 at 300 ms", "2 at 600 ms"])
  }

  @Test func `a callback does not find itself in a cancelled task`() {
    let wasCancelled = Box<[Bool]>([])
    _ = simulate { _ in
      let handle = FakeCallbackQueue(Self.second).request("ask", serving: { _ in }) { _ in
        wasCancelled.value.append(Task.isCancelled)
      }
      handle.cancel()
    }
    #expect(wasCancelled.value == [false])
  }

  @Test func `outside a simulation it takes the natural choice and real time passes`() async throws {
    let queue = FakeCallbackQueue([
      "ask": [FakeBehavior(delay: .milliseconds(30), replies: [.ok(), .offline])]
    ])
    let begin = ContinuousClock.now
    let answer = try await withCheckedThrowingContinuation { continuation in
      queue.request("ask", serving: { $0.number }) { continuation.resume(with: $0) }
    }
    #expect(answer == 1)
    #expect(begin.duration(to: .now) >= .milliseconds(30))
  }
}
