import Simulator
import Testing

@Suite struct OnlyAllowedErrorsTests {
  private let invariant = Invariant.onlyAllowedErrors(of: "save", allowing: ["tooLate"])

  private enum Failure: Error { case invented, tooLate }

  @Test func `an action that fails where nothing has breaks it, and the sentence says how`() {
    let (sentences, judged) = invariant.judging { simulation in
      await simulation.act("save") { throw Failure.invented }.value
    }
    #expect(sentences == ["save failed (invented), and nothing had failed by then"])
    #expect(judged)
  }

  @Test func `an action that hands on the error of a call holds`() {
    let holds = invariant.holds { simulation in
      await simulation.act("save") {
        try await FakeNetwork(delay: .seconds(1), replies: [.offline]).exchange("PUT /note") { _ in }
      }.value
    }
    #expect(holds)
  }

  @Test func `errors of the app's own that are allowed hold, and so does a cancel`() {
    #expect(invariant.holds { await $0.act("save") { throw Failure.tooLate }.value })
    #expect(invariant.holds { await $0.act("save") { throw CancellationError() }.value })
  }

  @Test func `another action is not judged`() {
    let (sentences, judged) = invariant.judging { simulation in
      await simulation.act("open") { throw Failure.invented }.value
    }
    #expect(sentences.isEmpty)
    #expect(!judged)
  }
}

@Suite struct OutcomeIsTrueTests {
  private let invariant = Invariant.outcomeIsTrue(of: "save", by: "PUT /note")

  /// Saves as often as there are replies; `swallowing` says nothing where one fails.
  private static func save(
    _ replies: FakeReply..., swallowing: Bool = false
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      for reply in replies {
        await simulation.act("save") {
          do {
            try await FakeNetwork(delay: .seconds(1), replies: [reply]).exchange("PUT /note") { _ in }
          } catch {
            if !swallowing { throw error }
          }
        }.value
      }
    }
  }

  @Test func `an action that swallows an error breaks it, and the sentence says what had succeeded`() {
    #expect(
      invariant.judging(Self.save(.offline, swallowing: true)).sentences
        == ["save returned, and no PUT /note had succeeded"])
    #expect(
      invariant.judging(Self.save(.ok(), .offline, swallowing: true)).sentences
        == ["save is number 2 to have returned, and PUT /note had succeeded 1 times"])
  }

  @Test func `an action that does nothing breaks it`() {
    #expect(invariant.isBroken { await $0.act("save") {}.value })
  }

  @Test func `an action that tells of its failure holds`() {
    #expect(invariant.holds(Self.save(.ok(), .offline)))
    #expect(!invariant.judging(Self.save(.offline)).judged)
  }

  @Test func `actions that share a call need one success`() {
    let shared = Invariant.outcomeIsTrue(of: "save", by: "PUT /note", shared: true)
    #expect(shared.holds(Self.save(.ok(), .offline, swallowing: true)))
    #expect(shared.isBroken(Self.save(.offline, swallowing: true)))
  }
}

@Suite struct OutcomeIsShownTests {
  private let success = Invariant.successIsShown(
    of: "open", on: "screen", not: ["empty", "loading", "failed"])
  private let failure = Invariant.failureIsShown(of: "GET /note", on: "screen")

  /// Opens a note, whose request gets `reply`, and shows `shown` afterwards.
  private static func open(
    _ reply: FakeReply, showing shown: Trace.Value, cancelled: Bool = false
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation)
      await simulation.act("open") {
        screen.show("loading")
        try? await FakeNetwork(delay: .seconds(1), replies: [reply]).exchange("GET /note") { _ in }
        screen.show(shown)
      }.value
      if cancelled { simulation.record(.cancelled(Trace.Action(label: "open", name: "open"))) }
    }
  }

  @Test func `a spinner that never stops breaks it, and the sentence says what is shown`() {
    let (sentences, judged) = success.judging(Self.open(.ok(), showing: "loading"))
    #expect(sentences == ["at rest screen has loading, and nothing has failed"])
    #expect(judged)
  }

  @Test func `a failure that is not shown breaks it, and the sentence says what is`() {
    let (sentences, judged) = failure.judging(Self.open(.offline, showing: "a note"))
    #expect(sentences == ["at rest screen has a note and not failed, and every GET /note has failed"])
    #expect(judged)
  }

  @Test func `a failure that nothing explains breaks it, and so does an empty text`() {
    #expect(success.isBroken(Self.open(.ok(), showing: "failed")))
    #expect(success.isBroken(Self.open(.ok(), showing: "")))
  }

  @Test func `the truth holds`() {
    #expect(success.holds(Self.open(.ok(), showing: "a note")))
    #expect(failure.holds(Self.open(.offline, showing: "failed")))
  }

  @Test func `what failed owes no success, and what succeeded no failure`() {
    #expect(!success.judging(Self.open(.offline, showing: "failed")).judged)
    #expect(!failure.judging(Self.open(.ok(), showing: "a note")).judged)
  }

  @Test func `who has cancelled is owed nothing`() {
    #expect(!success.judging(Self.open(.ok(), showing: "empty", cancelled: true)).judged)
    #expect(!failure.judging(Self.open(.offline, showing: "empty", cancelled: true)).judged)
  }
}
