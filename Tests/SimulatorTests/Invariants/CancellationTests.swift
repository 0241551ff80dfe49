import Simulator
import Testing

extension Simulation {
  /// Cancels the task of the action `name`, as a script does.
  fileprivate func cancel(_ name: String, _ task: Task<Void, Never>) {
    record(.cancelled(Trace.Action(label: name, name: name)))
    task.cancel()
  }
}

@Suite struct CancellationReachesTransportTests {
  private let invariant = Invariant.cancellationReachesTransport("GET /list", within: .milliseconds(100))

  /// An action that asks, and is cancelled after a second.
  private static func ask(
    ignoresCancellation: Bool = false,
    _ load: @escaping @Sendable (FakeNetwork) async throws -> Void
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let network = FakeNetwork(delay: .seconds(5), ignoresCancellation: [ignoresCancellation])
      let task = simulation.act("show") { try await load(network) }
      try await Task.sleep(for: .seconds(1))
      simulation.cancel("show", task)
      await task.value
    }
  }

  @Test func `a request in a task of its own that goes on breaks it`() {
    let (sentences, _) = invariant.judging(
      Self.ask { network in try await Task { try await network.exchange("GET /list") { _ in } }.value })
    #expect(
      sentences == [
        "show was cancelled at 1 s, and 4 s later (5 s) GET /list, sent at 0 s, has not been told, not within 100 ms"
      ])
  }

  @Test func `a request that is cancelled along holds, also on a network that ignores it`() {
    #expect(invariant.holds(Self.ask { try await $0.exchange("GET /list") { _ in } }))
    #expect(
      invariant.holds(Self.ask(ignoresCancellation: true) { try await $0.exchange("GET /list") { _ in } }))
  }

  @Test func `a cancel that arrives within the bound holds, and a later one does not`() {
    let late: @Sendable (Int) -> @Sendable (Simulation) async throws -> Void = { milliseconds in
      Self.ask { network in
        let task = Task { try await network.exchange("GET /list") { _ in } }
        await withTaskCancellationHandler {
          _ = await task.result
        } onCancel: {
          Task {
            try await Task.sleep(for: .milliseconds(milliseconds))
            task.cancel()
          }
        }
      }
    }
    #expect(invariant.holds(late(100)))
    #expect(invariant.isBroken(late(101)))
  }

  @Test func `a request that begins after the cancel breaks it`() {
    let broken = invariant.isBroken(
      Self.ask { network in
        await Task {
          try? await Task.sleep(for: .seconds(2))
          try? await network.exchange("GET /list") { _ in }
        }.value
      })
    #expect(broken)
  }

  @Test func `as long as another caller wants it, it may go on`() {
    let (sentences, _) = invariant.judging { simulation in
      let shared = Task { try await FakeNetwork(delay: .seconds(5)).exchange("GET /list") { _ in } }
      let first = simulation.act("first") { try await shared.value }
      let second = simulation.act("second") { try await shared.value }
      try await Task.sleep(for: .seconds(1))
      simulation.cancel("first", first)
      _ = await (first.value, second.value)
    }
    #expect(sentences.isEmpty)
  }

  @Test func `a cancel that comes when all is over cancels nothing`() {
    let (sentences, judged) = invariant.judging { simulation in
      let action = simulation.act("show") {
        Task { try await FakeNetwork(delay: .seconds(5)).exchange("GET /list") { _ in } }
      }
      await action.value
      simulation.cancel("show", action)
    }
    #expect(sentences.isEmpty)
    #expect(!judged)
  }
}

@Suite struct CancellableWhileInFlightTests {
  private let invariant = Invariant.cancellableWhileInFlight("GET /list")

  /// A request for `page 1`, and an action that gives it up after a second.
  private static func giveUp(
    _ name: String = "page 1", _ cancel: @escaping @Sendable (Task<Void, any Error>) -> Void
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let request = Task {
        try await FakeNetwork(delay: .seconds(5)).exchange("GET /list", "page 1") { _ in }
      }
      try await Task.sleep(for: .seconds(1))
      await simulation.act("stop") {
        cancel(request)
        simulation.record(.dismissed(owner: name))
      }.value
    }
  }

  @Test func `a request that has been given up and goes on breaks it`() {
    let (sentences, _) = invariant.judging(Self.giveUp { _ in })
    #expect(
      sentences == ["page 1 was given up at 1 s, and at 5 s GET /list, sent at 0 s, has not been told"])
  }

  @Test func `a request that is cancelled holds`() {
    #expect(invariant.holds(Self.giveUp { $0.cancel() }))
  }

  @Test func `what another name stands for may go on`() {
    let (sentences, judged) = invariant.judging(Self.giveUp("page 2") { _ in })
    #expect(sentences.isEmpty)
    #expect(!judged)
  }

  @Test func `what was sent after the action had begun may go on`() {
    let (sentences, judged) = invariant.judging { simulation in
      let network = FakeNetwork(delay: .seconds(5))
      await simulation.act("stop") {
        Task { try await network.exchange("GET /list", "page 1") { _ in } }
        try await Task.sleep(for: .seconds(1))
        simulation.record(.dismissed(owner: "page 1"))
      }.value
    }
    #expect(sentences.isEmpty)
    #expect(!judged)
  }
}
