import Simulator
import Testing

@Suite struct NothingAfterDismissalTests {
  private let invariant = Invariant.nothingAfterDismissal(of: "screen")

  @Test func `a reply that lands on a closed screen breaks it`() {
    let broken = invariant.isBroken { simulation in
      let screen = Screen(simulation)
      simulation.record(.dismissed(owner: "inbox"))
      try await FakeNetwork(delay: .seconds(5)).exchange("GET /inbox") { _ in }
      await screen.show("loaded")
    }
    #expect(broken)
  }

  @Test func `the sentence tells when and what`() {
    let (sentences, _) = invariant.judging { simulation in
      let screen = Screen(simulation)
      try await Task.sleep(for: .seconds(2))
      simulation.record(.dismissed(owner: "inbox"))
      try await Task.sleep(for: .seconds(3))
      await screen.show("loaded")
    }
    #expect(sentences == ["the user left at 2 s, and at 5 s screen changed from empty to loaded"])
  }

  @Test func `a change in the step of leaving is part of leaving`() {
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation)
      await MainActor.run {
        simulation.record(.dismissed(owner: "inbox"))
        screen.show("closed")
      }
      simulation.record(.note("later"))
    }
    #expect(holds)
  }

  @Test func `a screen that the user has come back to may change, until they leave again`() {
    let (sentences, _) = invariant.judging { simulation in
      let screen = Screen(simulation)
      for second in 1...2 {
        simulation.record(.dismissed(owner: "inbox"))
        try await Task.sleep(for: .seconds(1))
        simulation.record(.appeared(owner: "inbox"))
        await screen.show(.text("visit \(second)"))
      }
      simulation.record(.dismissed(owner: "inbox"))
      try await Task.sleep(for: .seconds(1))
      await screen.show("late")
    }
    #expect(sentences == ["the user left at 2 s, and at 3 s screen changed from visit 2 to late"])
  }

  @Test func `another's coming back does not count`() {
    let broken = invariant.isBroken { simulation in
      let screen = Screen(simulation)
      simulation.record(.dismissed(owner: "inbox"))
      await Task.yield()
      simulation.record(.appeared(owner: "profile"))
      await screen.show("loaded")
    }
    #expect(broken)
  }

  @Test func `another's dismissal does not count`() {
    let (sentences, judged) = Invariant.nothingAfterDismissal(of: "screen", by: "inbox").judging {
      simulation in
      let screen = Screen(simulation)
      simulation.record(.dismissed(owner: "profile"))
      await screen.show("loaded")
    }
    #expect(sentences.isEmpty)
    #expect(!judged)
  }
}

@Suite struct NoOrphanedWriteTests {
  private let invariant = Invariant.noOrphanedWrite()

  @Test func `a write that begins after the user has left breaks it`() {
    let broken = invariant.isBroken { simulation in
      let store = FakeStore(writeDelay: .seconds(1))
      simulation.record(.dismissed(owner: "profile"))
      try await Task.sleep(for: .seconds(1))
      try await store.write(1, for: "a")
    }
    #expect(broken)
  }

  @Test func `a write that begins in a cancelled task and goes through breaks it`() {
    let broken = invariant.isBroken { _ in
      let store = FakeStore(["write": [FakeBehavior(ignoresCancellation: [true])]])
      let task = Task { try await store.write(1, for: "a") }
      task.cancel()
      _ = await task.result
    }
    #expect(broken)
  }

  @Test func `a write that begins in a cancelled task and is refused is no harm`() {
    let holds = invariant.holds { _ in
      let store = FakeStore(writeDelay: .seconds(1))
      let task = Task { try await store.write(1, for: "a") }
      task.cancel()
      _ = await task.result
    }
    #expect(holds)
  }

  @Test func `a write that began before may finish whole`() {
    let holds = invariant.holds { simulation in
      let store = FakeStore(["write": [FakeBehavior(delay: .seconds(1), ignoresCancellation: [true])]])
      let task = Task { try await store.write(1, for: "a") }
      try await Task.sleep(for: .milliseconds(500))
      simulation.record(.dismissed(owner: "profile"))
      task.cancel()
      _ = await task.result
    }
    #expect(holds)
  }

  @Test func `reading after the user has left is no write`() {
    let (sentences, _) = invariant.judging { simulation in
      simulation.record(.dismissed(owner: "profile"))
      await Task.yield()
      _ = try await FakeStore().read("a", as: Int.self)
    }
    #expect(sentences.isEmpty)
  }
}
