import Simulator
import Testing

@Suite struct AtMostOnceTests {
  private let invariant = Invariant.atMostOnce(in: "ledger", by: "POST /charge")

  /// Charges, in tasks of their own, the n-th `delays[n]` after the first; every charge takes a second.
  private static func charge(
    _ orders: [String], after delays: [Duration], faults: [FakeFault] = [.noFault]
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let ledger = Log<Trace.Value>()
      simulation.observe("ledger") { .list(ledger.all) }
      let network = FakeNetwork(delay: .seconds(1), faults: faults)
      let charges = zip(orders, delays).map { order, delay in
        Task {
          try await Task.sleep(for: delay)
          try await network.exchange("POST /charge", .text(order)) { _ in ledger.append(.text(order)) }
        }
      }
      for charge in charges { _ = await charge.result }
    }
  }

  @Test func `the same order twice in the ledger breaks it`() {
    let (sentences, _) = invariant.judging(Self.charge(["order 1", "order 1"], after: [.zero, .zero]))
    #expect(sentences == ["at 1 s ledger has order 1 twice: [order 1, order 1]"])
  }

  @Test func `two charges on the wire at once are a duplicate request`() {
    #expect(race(Self.charge(["order 1", "order 1"], after: [.zero, .zero])) == .duplicateRequest)
  }

  @Test func `a charge that is made again after the first was lost is a repetition`() {
    let charge = Self.charge(["order 1", "order 1"], after: [.zero, .seconds(5)], faults: [.afterCommit])
    #expect(race(charge) == .repeatedEffect)
  }

  @Test func `an entry without a known author has no diagnosis`() {
    let unknown: @Sendable (Simulation) async throws -> Void = { simulation in
      let screen = Screen(simulation, ["order 1"])
      await screen.show(["order 1", "order 1"])
    }
    let invariant = Invariant.atMostOnce(in: "screen", by: "POST /charge")
    #expect(invariant.isBroken(unknown))
    #expect(invariant.diagnosis(of: unknown) == nil)
  }

  @Test func `two orders hold, and so does a charge that failed before it took effect`() {
    #expect(invariant.holds(Self.charge(["order 1", "order 2"], after: [.zero, .zero])))
    let failed = invariant.judging(
      Self.charge(["order 1", "order 1"], after: [.zero, .seconds(5)], faults: [.beforeCommit]))
    #expect(failed.sentences == [])
  }

  @Test func `an empty ledger is nothing to judge`() {
    #expect(!invariant.judging(Self.charge([], after: [])).judged)
  }

  private func race(_ body: @escaping @Sendable (Simulation) async throws -> Void) -> Invariant.Diagnosis? {
    invariant.diagnosis(of: body)
  }
}

@Suite struct NoLostUpdateTests {
  private let invariant = Invariant.noLostUpdate(of: "screen", by: "add")

  /// Updates that each read, wait a second, and write one more, the n-th after `delays[n]`.
  private static func add(
    after delays: [Duration], isWritten: Bool = true, by step: Int = 1
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation, 0)
      var updates: [Task<Void, Never>] = []
      for (number, delay) in delays.enumerated() {
        try await Task.sleep(for: delay)
        let action = Trace.Action(label: "add \(number + 1)", name: "add")
        updates.append(
          Task { @MainActor in
            simulation.record(.actionBegan(action))
            guard case .int(let count) = screen.value else { return }
            try? await Task.sleep(for: .seconds(1))
            if isWritten { screen.show(.int(count + step)) }
            simulation.record(.actionEnded(action, .returned(.none)))
          })
      }
      for update in updates { await update.value }
    }
  }

  @Test func `an update that counts for two breaks it, and no race is named`() {
    let add = Self.add(after: [.zero, .seconds(2)], by: 2)
    #expect(invariant.judging(add).sentences == ["2 updates have begun, but screen went from 0 to 4"])
    #expect(invariant.diagnosis(of: add) == nil)
  }

  @Test func `two updates of which one is written over break it, and the update is lost`() {
    let overlapping = Self.add(after: [.zero, .zero])
    let (sentences, _) = invariant.judging(overlapping)
    #expect(sentences == ["2 updates have returned, but screen went from 0 to 1"])
    #expect(invariant.diagnosis(of: overlapping) == .lostUpdate)
  }

  @Test func `an update that is not made although it is alone breaks it, and is no race`() {
    let ignored = Self.add(after: [.zero, .seconds(5)], isWritten: false)
    #expect(invariant.isBroken(ignored))
    #expect(invariant.diagnosis(of: ignored) == nil)
  }

  @Test func `one after the other holds`() {
    #expect(invariant.holds(Self.add(after: [.zero, .seconds(5)])))
  }

  @Test func `an update that throws may be missing`() {
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation, 0)
      for number in 1...2 {
        await simulation.act("add") { screen.show(.int(number)) }.value
      }
      await simulation.act("add") { throw CancellationError() }.value
    }
    #expect(holds)
  }

  @Test func `a single update is nothing to judge`() {
    #expect(!invariant.judging(Self.add(after: [.zero])).judged)
  }
}
