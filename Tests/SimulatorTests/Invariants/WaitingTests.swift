import Simulator
import Testing

/// A screen that loads a note, as an action; what fails and what is shown differs.
private func open(
  _ simulation: Simulation, _ screen: Screen, _ reply: FakeReply = .ok(), waiting: Trace.Value = "loading",
  showing shown: Trace.Value = "a note"
) async {
  await simulation.act("open") {
    screen.show(waiting)
    try? await FakeNetwork(delay: .seconds(1), replies: [reply]).exchange("GET /note") { _ in }
    screen.show(shown)
  }.value
}

@Suite struct LoadingEndsTests {
  private let invariant = Invariant.loadingEnds(on: "screen")

  @Test func `a spinner that turns at the end breaks it, and the sentence says when`() {
    let (sentences, judged) = invariant.judging { await open($0, Screen($0), showing: "loading") }
    #expect(sentences == ["at 1 s all is at rest, and screen still has loading"])
    #expect(judged)
  }

  @Test func `a spinner that turns where all is at rest in the middle breaks it`() {
    #expect(
      invariant.isBroken { simulation in
        let screen = Screen(simulation)
        simulation.anytime("look") { Task { @MainActor in screen.show("a note") } }
        await open(simulation, screen, showing: "loading")
      })
  }

  @Test func `a spinner that ends in a failure holds`() {
    #expect(invariant.holds { await open($0, Screen($0), .offline, showing: "failed") })
  }

  @Test func `a screen that was left may turn, until it is back`() {
    #expect(
      invariant.holds { simulation in
        await open(simulation, Screen(simulation), showing: "loading")
        simulation.record(.dismissed(owner: "note"))
      })
    #expect(
      invariant.isBroken { simulation in
        simulation.record(.dismissed(owner: "note"))
        simulation.record(.appeared(owner: "note"))
        await open(simulation, Screen(simulation), showing: "loading")
      })
  }
}

@Suite struct WaitIsShownTests {
  private let invariant = Invariant.waitIsShown(for: "GET /note", on: "screen")

  @Test func `a screen that does not say that it loads breaks it, and the sentence says what it had`() {
    let (sentences, judged) = invariant.judging { await open($0, Screen($0), waiting: "blank") }
    #expect(sentences == ["from 0 s to 1 s GET /note was under way, and screen had blank"])
    #expect(judged)
  }

  @Test func `a screen that says so holds`() {
    #expect(invariant.holds { await open($0, Screen($0)) })
  }

  @Test func `who has cancelled or left waits for nothing`() {
    for event in [
      Trace.Event.Kind.cancelled(Trace.Action(label: "open", name: "open")), .dismissed(owner: "note"),
    ] {
      let (sentences, judged) = invariant.judging { simulation in
        simulation.record(event)
        await open(simulation, Screen(simulation), waiting: "empty")
      }
      #expect(sentences.isEmpty)
      #expect(!judged)
    }
  }
}

@Suite struct `Waits of loads that overlap` {
  private let invariant = Invariant.waitIsShown(
    forAny: ["GET /note"], of: ["open"], on: "screen", nil, as: "loading", resting: ["empty", "failed"])

  /// Two loads, of which the second takes longer; after the first the screen shows `shown`.
  private func openTwice(
    _ simulation: Simulation, showing shown: Trace.Value, cancelling cancels: Bool = false
  ) async {
    let screen = Screen(simulation)
    let names = ["open", "open 2"].map { Trace.Action(label: $0, name: "open") }
    let loads = zip(names, [1, 2]).map { name, delay in
      simulation.act(name) {
        screen.show("loading")
        try? await FakeNetwork(delay: .seconds(delay)).exchange("GET /note") { _ in }
        screen.show(delay == 1 ? shown : "a note")
      }
    }
    if cancels {
      try? await Task.sleep(for: .milliseconds(500))
      simulation.record(.cancelled(names[0]))
      loads[0].cancel()
    }
    for load in loads { await load.value }
  }

  @Test(arguments: ["empty", "failed"] as [Trace.Value], [false, true])
  func `a screen that looks as if nobody waited breaks it`(shown: Trace.Value, cancels: Bool) {
    let (sentences, _) = invariant.judging { await openTwice($0, showing: shown, cancelling: cancels) }
    let since = cancels ? "500 ms" : "1 s"
    #expect(sentences == ["from \(since) to 2 s GET /note was under way, and screen had \(shown)"])
  }

  @Test(arguments: ["loading", "a note"] as [Trace.Value])
  func `one that still loads, or shows what the other has brought, holds`(shown: Trace.Value) {
    #expect(invariant.judging { await openTwice($0, showing: shown) }.sentences == [])
  }

  @Test func `the calls of an action that loads nothing are not waited for`() {
    #expect(
      invariant.judging { simulation in
        let screen = Screen(simulation)
        await simulation.act("tidy up") {
          try await FakeNetwork(delay: .seconds(1)).exchange("GET /note") { _ in }
          screen.show("tidy")
        }.value
      } == ([], false))
  }
}

@Suite struct RecoveryIsShownTests {
  private let invariant = Invariant.recoveryIsShown(
    of: "open", on: "screen", not: ["empty", "loading", "failed"])

  /// Opens a note whose request fails; and once more when all is at rest, which gets `reply` and shows `shown`.
  private static func openTwice(
    _ reply: FakeReply = .ok(), showing shown: Trace.Value
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation)
      await simulation.resting()
      await open(simulation, screen, .offline, showing: "failed")
      await simulation.resting()
      await open(simulation, screen, reply, showing: shown)
    }
  }

  @Test func `a second attempt that leaves the failure on the screen breaks it`() {
    let (sentences, judged) = invariant.judging(Self.openTwice(showing: "failed"))
    #expect(
      sentences == ["open has returned and nothing has failed since all was at rest, and screen has failed"])
    #expect(judged)
  }

  @Test func `a second attempt that is shown holds`() {
    #expect(invariant.holds(Self.openTwice(showing: "a note")))
  }

  @Test func `a second attempt that fails too is owed nothing`() {
    #expect(!invariant.judging(Self.openTwice(.offline, showing: "failed")).judged)
  }

  @Test func `a first attempt is not judged`() {
    #expect(!invariant.judging { await open($0, Screen($0), showing: "empty") }.judged)
  }
}

extension Simulation {
  /// Goes on when all is at rest.
  fileprivate func resting() async {
    await withCheckedContinuation { rested in anytime("go on") { rested.resume() } }
  }
}

@Suite struct SuccessIsTrueTests {
  private let invariant = Invariant.successIsTrue(
    on: "screen", not: ["empty", "loading", "failed"], by: "GET /note")

  @Test func `a success that nothing has brought breaks it, and the sentence says what had succeeded`() {
    let (sentences, judged) = invariant.judging { await open($0, Screen($0), .offline) }
    #expect(
      sentences == ["at 1 s screen shows success (a note), and GET /note had succeeded 0 times"])
    #expect(judged)
  }

  @Test func `a success that is shown before its work is done breaks it`() {
    #expect(invariant.isBroken { await open($0, Screen($0), waiting: "a note") })
  }

  @Test func `a success that a call has brought holds`() {
    #expect(invariant.holds { await open($0, Screen($0)) })
  }

  @Test func `one that comes back after a cancel holds`() {
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation)
      await open(simulation, screen)
      simulation.record(.cancelled(Trace.Action(label: "open", name: "open")))
      await open(simulation, screen, .offline)
    }
    #expect(holds)
  }
}
