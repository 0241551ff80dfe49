import Simulator
import Testing

@Suite struct RightWhenAloneTests {
  private let invariant = Invariant.rightWhenAlone { save throws(LoneAction.Flaw) in
    try save.demand(save.returned == save.succeeded("PUT /note"), "it says that it is saved where it is")
    if save.returned { try save.demand(save.after["screen"] == "saved", "it is shown") }
  }

  /// Saves, and swallows the error where one is `swallowed`.
  @MainActor private static func save(
    _ simulation: Simulation, _ screen: Screen, _ reply: FakeReply = .ok(), swallowing: Bool = false,
    showing shown: Trace.Value = "saved"
  ) -> Task<Void, Never> {
    simulation.act("save") {
      do {
        try await FakeNetwork(delay: .seconds(1), replies: [reply]).exchange("PUT /note") { _ in }
        screen.show(shown)
      } catch {
        if !swallowing { throw error }
      }
    }
  }

  @Test func `an action that swallows an error breaks it, and the sentence says what was demanded`() {
    let (sentences, judged) = invariant.judging { simulation in
      await Self.save(simulation, Screen(simulation), .offline, swallowing: true).value
    }
    #expect(sentences.count == 1)
    #expect(sentences[0].hasPrefix("save was alone from "))
    #expect(sentences[0].hasSuffix("“it says that it is saved where it is” was not so"))
    #expect(judged)
  }

  @Test func `an action that shows something else breaks it`() {
    #expect(invariant.isBroken { await Self.save($0, Screen($0), showing: "nothing").value })
  }

  @Test func `an action that succeeds or tells of its failure holds`() {
    #expect(invariant.holds { await Self.save($0, Screen($0)).value })
    #expect(invariant.holds { await Self.save($0, Screen($0), .offline).value })
  }

  @Test func `actions that overlap are not judged, nor is one that is cancelled`() {
    let overlapping = invariant.judging { simulation in
      let screen = Screen(simulation)
      let first = await Self.save(simulation, screen, .offline, swallowing: true)
      await Self.save(simulation, screen, .offline, swallowing: true).value
      await first.value
    }
    #expect(overlapping.sentences.isEmpty && !overlapping.judged)
    let cancelled = invariant.judging { simulation in
      simulation.record(.cancelled(Trace.Action(label: "save", name: "save")))
      await Self.save(simulation, Screen(simulation), .offline, swallowing: true).value
    }
    #expect(cancelled.sentences.isEmpty && !cancelled.judged)
  }

  @Test func `an action is judged with what has happened since all was at rest, and no more`() {
    let second = Invariant.rightWhenAlone { save throws(LoneAction.Flaw) in
      try save.demand(save.count("PUT /note") == 1 && !save.hadFailure == save.returned, "one call each")
      try save.demand(save.isFirst == (save.before["screen"] == "nobody"), "the screen was as it was left")
    }
    let (sentences, judged) = second.judging { simulation in
      let screen = Screen(simulation, "nobody")
      await Self.save(simulation, screen).value
      await withCheckedContinuation { rested in simulation.anytime("go on") { rested.resume() } }
      await Self.save(simulation, screen, .offline).value
    }
    #expect(sentences == [])
    #expect(judged)
  }
}

@Suite struct DoesWhatItSaysTests {
  private let invariant = Invariant.doesWhatItSays(
    ["pause": (from: ["running"], to: "paused")], on: "screen")

  private struct NotAllowed: Error {}

  /// Pauses in `state`, which becomes `later`; fails where it is `refused`.
  private static func pause(
    in state: Trace.Value, becoming later: Trace.Value? = nil, refused: Bool = false
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation, "idle")
      await screen.show(state)
      await simulation.act("pause") {
        if let later { screen.show(later) }
        await Task.yield()
        if refused { throw NotAllowed() }
      }.value
    }
  }

  @Test func `an action that returns and has done nothing breaks it, and the sentence says what was so`() {
    let (sentences, judged) = invariant.judging(Self.pause(in: "running"))
    #expect(sentences == ["pause returned and should have led to paused, but screen was running"])
    #expect(judged)
  }

  @Test func `an action that does what it must not do breaks it`() {
    #expect(invariant.isBroken(Self.pause(in: "idle")))
    #expect(invariant.isBroken(Self.pause(in: "completed", becoming: "paused")))
  }

  @Test func `an action that fails where it is allowed breaks it`() {
    #expect(
      invariant.judging(Self.pause(in: "running", refused: true)).sentences
        == ["pause failed (NotAllowed()) where it was allowed: screen was running"])
  }

  @Test func `an action that does what it says holds, and so does one that is refused`() {
    #expect(invariant.holds(Self.pause(in: "running", becoming: "paused")))
    #expect(invariant.holds(Self.pause(in: "idle", refused: true)))
    #expect(invariant.holds(Self.pause(in: "running", becoming: "completed", refused: true)))
  }
}
