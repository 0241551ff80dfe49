import Simulator
import Testing

@Suite struct `Resumed exactly once` {
  private let invariant = Invariant.exactlyOnce("connect")

  /// An action that waits for a continuation, which `resume` gets to resume.
  private static func wait(
    until limit: Duration = .seconds(60),
    _ resume: @escaping @Sendable (@escaping @Sendable () -> Void) async throws -> Void
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let resumption = Box<(@Sendable () -> Void)?>(nil)
      let action = simulation.act("connect") {
        unsafe await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
          resumption.value = { unsafe continuation.resume() }
        }
      }
      try await Task.sleep(for: .seconds(1))
      if let resumption = resumption.value { try await resume(resumption) }
      withExtendedLifetime(action) {}
    }
  }

  @Test func `an action that is resumed once holds`() {
    #expect(invariant.holds(Self.wait { $0() }))
  }

  @Test func `a continuation that is resumed twice breaks it`() {
    let (sentences, _) = invariant.judging(
      Self.wait { resume in
        resume()
        resume()
      })
    #expect(
      sentences == [
        "at 1 s a continuation of 1 was resumed a second time",
        "a continuation of 1 was resumed twice",
      ])
  }

  @Test func `an action that is never resumed breaks it`() {
    let (sentences, _) = invariant.judging(Self.wait { _ in })
    #expect(sentences == ["connect has waited since 0 s and was not resumed by 1 s"])
  }

  @Test func `a cancelled action has to be resumed too`() {
    let (sentences, _) = invariant.judging { simulation in
      let action = simulation.act("connect") {
        unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
      action.cancel()
      simulation.record(.cancelled(Trace.Action(label: "connect", name: "connect")))
    }
    // It is a leak besides, where no thread lives that could wake it.
    #expect(sentences.first == "connect has waited since 0 s and was not resumed by 0 s")
  }

  @Test func `a failure resumes as well as an answer`() {
    let holds = invariant.holds { simulation in
      await simulation.act("connect") { throw CancellationError() }.value
    }
    #expect(holds)
  }

  @Test func `without a waiting task there is nothing to judge`() {
    let (sentences, judged) = invariant.judging { simulation in await simulation.act("open") {}.value }
    #expect(sentences.isEmpty)
    #expect(!judged)
  }
}

@Suite struct `Called exactly once` {
  private let invariant = Invariant.exactlyOnce(counting: "screen")

  private static func counts(_ counts: [Int]...) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation, [])
      for counts in counts { await screen.show(.list(counts.map { .int($0) })) }
    }
  }

  @Test func `every completion that is called once holds`() {
    #expect(invariant.holds(Self.counts([0], [0, 0], [0, 1], [1, 1])))
  }

  @Test func `a completion that is called twice breaks it, once`() {
    let (sentences, _) = invariant.judging(Self.counts([0], [1], [1, 0], [2, 0], [2, 1]))
    #expect(sentences == ["completion 1 was called again at 0 s: 2 times"])
  }

  @Test func `a completion that is never called breaks it`() {
    let (sentences, _) = invariant.judging(Self.counts([0], [1, 0]))
    #expect(sentences == ["completion 2 was not called by 0 s"])
  }

  @Test func `without a completion handler there is nothing to judge`() {
    #expect(!invariant.judging(Self.counts()).judged)
  }
}
