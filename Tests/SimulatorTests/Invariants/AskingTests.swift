import Simulator
import Testing

/// Asks for each detail and gets its reply, one after the other.
private func ask(
  _ questions: (detail: Trace.Value, reply: FakeReply)...
) -> @Sendable (Simulation) async throws -> Void {
  { _ in
    for (detail, reply) in questions {
      try? await FakeNetwork(delay: .seconds(1), replies: [reply]).exchange("GET /rate", detail) { _ in }
    }
  }
}

@Suite struct AskedOnceTests {
  private let invariant = Invariant.askedOnce("GET /rate")

  @Test func `an answer that is asked for again breaks it, and the sentence says when it was there`() {
    let (sentences, judged) = invariant.judging(ask(("euro", .ok()), ("euro", .ok())))
    #expect(sentences == ["at 1 s GET /rate euro was sent, which had been answered at 1 s"])
    #expect(judged)
  }

  @Test func `another detail is another question, and a failure is no answer`() {
    #expect(invariant.holds(ask(("euro", .ok()), ("franc", .ok()))))
    #expect(invariant.holds(ask(("euro", .offline), ("euro", .ok()))))
  }
}

@Suite struct WorkIsBegunTests {
  private let invariant = Invariant.workIsBegun(of: "receive", by: "write")

  private static func receive(_ writes: Bool...) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let store = FakeStore()
      for isWritten in writes {
        await simulation.act("receive") { if isWritten { try await store.write(1, for: "line") } }.value
      }
    }
  }

  @Test func `an action that leaves its call out breaks it, and the sentence says how many there were`() {
    let (sentences, judged) = invariant.judging(Self.receive(true, false))
    #expect(sentences == ["receive is number 2 to have returned, and write had begun 1 times"])
    #expect(judged)
  }

  @Test func `an action with a call holds`() {
    #expect(invariant.holds(Self.receive(true, true)))
  }
}

@Suite struct RefusalIsTrueTests {
  private let invariant = Invariant.refusalIsTrue(
    of: ["sign-out": ["logged out"]], in: "screen", saying: "notAllowed")

  private enum Refusal: Error { case notAllowed, tooLate }

  /// Signs out in `state`, and throws `refusal`; the state has become `later` by then.
  private static func signOut(
    in state: Trace.Value, becoming later: Trace.Value? = nil, refusal: Refusal? = nil
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation, "nobody")
      await screen.show(state)
      await simulation.act("sign-out") {
        if let later { screen.show(later) }
        await Task.yield()
        if let refusal { throw refusal }
      }.value
    }
  }

  @Test func `an action that is not refused where it must be breaks it`() {
    let (sentences, judged) = invariant.judging(Self.signOut(in: "logged out"))
    #expect(sentences == ["sign-out was not refused, and screen was logged out"])
    #expect(judged)
  }

  @Test func `an action that is refused where it may be done breaks it`() {
    #expect(
      invariant.judging(Self.signOut(in: "logged in", refusal: .notAllowed)).sentences
        == ["sign-out was refused (notAllowed), and screen was logged in"])
  }

  @Test func `an action that answers right holds`() {
    #expect(invariant.holds(Self.signOut(in: "logged out", refusal: .notAllowed)))
    #expect(invariant.holds(Self.signOut(in: "logged in")))
    #expect(invariant.holds(Self.signOut(in: "logged in", refusal: .tooLate)))
  }

  @Test func `a state that was never seen allows anything`() {
    let (sentences, judged) = invariant.judging { simulation in
      await simulation.act("sign-out") { throw Refusal.notAllowed }.value
    }
    #expect(sentences.isEmpty)
    #expect(!judged)
  }

  @Test func `an action may see either state where it changes meanwhile`() {
    #expect(invariant.holds(Self.signOut(in: "logged in", becoming: "logged out", refusal: .notAllowed)))
    #expect(invariant.holds(Self.signOut(in: "logged in", becoming: "logged out")))
  }
}

@Suite struct ReturnsWhenDoneTests {
  private let invariant = Invariant.returnsWhenDone("refresh")

  private static func refresh(waiting: Bool) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      await simulation.act("refresh") {
        let task = Task { try? await FakeNetwork(delay: .seconds(1)).exchange("GET /note") { _ in } }
        if waiting { await task.value } else { try await Task.sleep(for: .milliseconds(500)) }
      }.value
    }
  }

  @Test func `an action that does not wait breaks it, and the sentence says what is under way`() {
    let (sentences, judged) = invariant.judging(Self.refresh(waiting: false))
    #expect(sentences == ["refresh returned at 500 ms, and 1 call(s) and 0 action(s) were still under way"])
    #expect(judged)
  }

  @Test func `an action that waits holds`() {
    #expect(invariant.holds(Self.refresh(waiting: true)))
  }
}

@Suite struct AsksAgainTests {
  private let invariant = Invariant.asksAgain(after: "push", by: "GET /player")

  /// The server says that there is something new, to a screen that is there or has left; it asks or does not.
  private static func push(
    _ events: Trace.Event.Kind..., asking: Bool
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      for event in events { simulation.record(event) }
      await simulation.act("push") {
        if asking { try await FakeNetwork(delay: .seconds(1)).exchange("GET /player") { _ in } }
      }.value
    }
  }

  @Test func `a screen that is there and does not ask breaks it`() {
    let (sentences, judged) = invariant.judging(Self.push(.appeared(owner: "player"), asking: false))
    #expect(sentences == ["push came at 0 s, and no GET /player had begun when all was at rest at 0 s"])
    #expect(judged)
  }

  @Test func `a screen that has not appeared and asks breaks it`() {
    #expect(
      invariant.judging(Self.push(asking: true)).sentences
        == ["at 0 s GET /player began, and no screen had appeared"])
  }

  @Test func `a screen that asks holds, and one that has left owes nothing`() {
    #expect(invariant.holds(Self.push(.appeared(owner: "player"), asking: true)))
    let (sentences, judged) = invariant.judging(
      Self.push(.appeared(owner: "player"), .dismissed(owner: "player"), asking: false))
    #expect(sentences.isEmpty)
    #expect(!judged)
  }
}
