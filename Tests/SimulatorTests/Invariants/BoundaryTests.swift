import Simulator
import Testing

@Suite struct `Owners of network and store` {
  /// Asks the network, the store, or both.
  private actor Owner {
    let network = FakeNetwork(delay: .none)
    let store = FakeStore()

    func ask() async throws { try await network.exchange("GET /note") { _ in } }

    func save() async throws { try await store.write("a note", for: "note") }
  }

  private let apart = Invariant.ownersApart(network: ["network"], stores: ["store"])
  private let offMain = Invariant.askedOffMain(["network", "store"])

  @Test func `one actor that asks both breaks it`() {
    let (sentences, judged) = apart.judging { _ in
      let owner = Owner()
      try await owner.ask()
      try await owner.save()
    }
    #expect(sentences == ["one owner asks network (GET /note) and store (write)"])
    #expect(judged)
  }

  @Test func `two actors of one type hold`() {
    #expect(
      apart.holds { _ in
        try await Owner().ask()
        try await Owner().save()
      })
  }

  @Test func `the pool owns nothing`() {
    #expect(
      apart.judging { _ in
        try await FakeNetwork(delay: .none).exchange("GET /note") { _ in }
        try await FakeStore().write("a note", for: "note")
      }.sentences == [])
  }

  @Test func `a request from the main actor breaks it, and the sentence says which`() {
    let (sentences, judged) = offMain.judging { _ in
      try await Task { @MainActor in
        try await FakeNetwork(delay: .none).exchange("GET /note") { _ in }
      }.value
    }
    #expect(sentences == ["at 0 s network is asked from the main actor (GET /note)"])
    #expect(judged)
  }

  @Test func `a request from an actor holds, whoever waits for it`() {
    #expect(offMain.holds { _ in try await Task { @MainActor in try await Owner().ask() }.value })
  }

  @Test func `a fake that is no server and no disk is not judged`() {
    #expect(
      offMain.judging { _ in
        try await Task { @MainActor in
          try await FakeNetwork(delay: .none, named: "keyboard").exchange("GET /key") { _ in }
        }.value
      } == ([], false))
  }
}

extension FakeStore {
  /// The note that it holds, between steps.
  fileprivate nonisolated var note: Trace.Value {
    assumeIsolated { ($0.contents["note"] as? String).map { .text($0) } ?? .none }
  }
}

@Suite struct `What is reported as saved` {
  private let invariant = Invariant.savedIsKept(on: "screen", not: ["empty", "saving"], in: "disk")

  /// Saves a note, and shows it after the write, or before it.
  @discardableResult
  private func save(_ simulation: Simulation, early: Bool) async -> FakeStore {
    let screen = Screen(simulation)
    let store = FakeStore(writeDelay: .seconds(1))
    simulation.observe("disk") { store.note }
    await simulation.act("save") {
      screen.show("saving")
      if early { screen.show("a note") }
      try await store.write("a note", for: "note")
      if !early { screen.show("a note") }
    }.value
    return store
  }

  @Test func `a screen that says so before the write has ended breaks it`() {
    let (sentences, judged) = invariant.judging { await save($0, early: true) }
    #expect(sentences == ["at 0 s screen reported a note as saved, and disk held nothing"])
    #expect(judged)
    #expect(invariant.diagnosis { await save($0, early: true) } == .shownNotSaved)
  }

  @Test func `a screen that says so after the write holds`() {
    #expect(invariant.holds { await save($0, early: false) })
  }

  @Test func `another save may change the disk`() {
    #expect(
      invariant.holds { simulation in
        let store = await save(simulation, early: false)
        await simulation.act("save") { try await store.write("another", for: "note") }.value
      })
  }
}

@Suite struct `A slow part stalls no other` {
  private let invariant = Invariant.stallsNoOther(["look": ["read"]])

  /// Looks something up beside a request, in one queue or not.
  private func look(_ simulation: Simulation, queued: Bool, works: Bool = false) async {
    let network = FakeNetwork(delay: .seconds(5))
    let asking = Task { try? await network.exchange("GET /note") { _ in } }
    await Task.yield()
    await simulation.act("look") {
      if queued { await asking.value }
      if works { await Simulation.spend(.seconds(1)) }
      _ = try await FakeStore(readDelay: .milliseconds(10)).read("note", as: String.self)
    }.value
    await asking.value
  }

  @Test func `a read that waits for a request breaks it, and the sentence says for what`() {
    let (sentences, judged) = invariant.judging { await look($0, queued: true) }
    #expect(sentences == ["from 0 s to 5 s look waits; it needs read, and only GET /note is under way"])
    #expect(judged)
  }

  @Test func `a read beside a request holds`() {
    #expect(invariant.holds { await look($0, queued: false) })
  }

  @Test func `the time of work is not judged`() {
    #expect(invariant.holds { await look($0, queued: false, works: true) })
  }

  /// Cancels a request, and waits for its end before it looks something up.
  @Test(arguments: [false, true])
  func `an action may wait for a request that was canceled and ignores that`(isCanceled: Bool) {
    let (sentences, _) = invariant.judging { simulation in
      let network = FakeNetwork(delay: .seconds(5), ignoresCancellation: [true])
      let asking = Task { try? await network.exchange("GET /note") { _ in } }
      await Task.yield()
      await simulation.act("look") {
        if isCanceled { asking.cancel() }
        await asking.value
        _ = try await FakeStore(readDelay: .milliseconds(10)).read("note", as: String.self)
      }.value
    }
    #expect(sentences.isEmpty == isCanceled)
  }

  @Test func `an action of which nothing is said is not judged`() {
    #expect(
      Invariant.stallsNoOther(["save": ["write"]]).judging { await look($0, queued: true) } == ([], false))
  }
}
