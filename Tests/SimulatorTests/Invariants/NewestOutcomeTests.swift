import Simulator
import Testing

/// Two loads of one screen. Each has one call, with its delay and reply, and then shows what it likes.
@Suite struct `The newest outcome stays` {
  private let invariant = Invariant.newestOutcomeStays(
    of: "GET /note", by: ["load"], on: "screen", not: ["empty", "loading", "failed"])

  private struct Load: Sendable {
    var delay = FakeTiming.seconds(1)
    var reply = FakeReply.ok()
    var onFailure: Trace.Value = "failed"
  }

  private func run(_ loads: [Load], in simulation: Simulation, then last: Trace.Value? = nil) async {
    let screen = Screen(simulation)
    var tasks: [Task<Void, Never>] = []
    for (number, load) in loads.enumerated() {
      let network = FakeNetwork(delay: load.delay, replies: [load.reply])
      tasks.append(
        simulation.act(Trace.Action(label: "load \(number + 1)", name: "load")) {
          screen.show("loading")
          do {
            try await network.exchange("GET /note") { _ in }
            screen.show("a note")
          } catch {
            screen.show(load.onFailure)
            throw error
          }
        })
    }
    for task in tasks { await task.value }
    if let last { await screen.show(last) }
  }

  private let older = Load(delay: .seconds(5), reply: .offline)

  @Test func `the failure of an older load over the success of the newest breaks it`() {
    let (sentences, judged) = invariant.judging { await run([older, Load()], in: $0) }
    #expect(
      sentences == [
        "at 5 s screen went from a note to failed, and load 2, which has brought a note, is the newest"
      ])
    #expect(judged)
    #expect(invariant.diagnosis { await run([older, Load()], in: $0) } == .staleOverNewer)
  }

  @Test func `an older load that goes back to what was there before breaks it`() {
    let blank = Load(delay: .seconds(5), reply: .offline, onFailure: "empty")
    #expect(invariant.isBroken { await run([blank, Load()], in: $0) })
  }

  @Test func `the failure of the newest load holds`() {
    let newest = Load(delay: .seconds(5), reply: .offline)
    #expect(invariant.judging { await run([Load(), newest], in: $0) }.sentences == [])
  }

  @Test func `an older load that shows a success holds`() {
    let late = Load(delay: .seconds(5))
    #expect(invariant.holds { await run([late, Load()], in: $0, then: "another note") })
  }

  @Test func `nothing is owed once the user has left, or does something else`() {
    #expect(
      invariant.judging { simulation in
        await run([Load()], in: simulation)
        simulation.record(.dismissed(owner: "note"))
        await run([], in: simulation, then: "empty")
      }.sentences == [])
    #expect(
      invariant.judging { simulation in
        let screen = Screen(simulation)
        for name in ["load", "log out"] {
          await simulation.act(name) {
            if name == "load" { try await FakeNetwork(delay: .none).exchange("GET /note") { _ in } }
            screen.show(name == "load" ? "a note" : "empty")
          }.value
        }
      }.sentences == [])
  }

  @Test func `an action that returns before its call has ended promises nothing`() {
    #expect(
      invariant.judging { simulation in
        let screen = Screen(simulation)
        await simulation.act("load") {
          Task {
            try await FakeNetwork(delay: .seconds(1)).exchange("GET /note") { _ in }
            screen.show("a note")
            try await Task.sleep(for: .seconds(1))
            screen.show("failed")
          }
        }.value
        try? await Task.sleep(for: .seconds(5))
      }.sentences == [])
  }
}
