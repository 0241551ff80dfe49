import Simulator
import Testing

/// A network that knows no pieces takes the time of all, and may lose the connection.
@Suite struct `A reply in pieces` {
  private static let ada = FakeReply.ok("Ada Lovelace")

  @Test func `takes the time of all its pieces, after the way back`() {
    let execution = simulate { _ in
      let network = FakeNetwork(
        arrivalDelay: .seconds(1), delay: .seconds(2), replies: [Self.ada.inPieces(3, every: .seconds(4))])
      let answer = try await network.send(FakeNetwork.Request("GET", "/profile"))
      #expect(answer.body == "Ada Lovelace")
    }
    #expect(execution.endTime.nanoseconds == 15_000_000_000)
    #expect(execution.choices.map(\.kind) == [])
  }

  @Test(arguments: [0, 2]) func `that is lost throws, and the server has acted`(lost: Int) {
    let isServed = Box(false)
    let execution = simulate { _ in
      let network = FakeNetwork(
        delay: .seconds(1), replies: [Self.ada.inPieces(3, every: .seconds(1), lostAfter: lost)])
      try? await network.exchange("POST /charge") { _ in isServed.value = true }
    }
    #expect(isServed.value)
    #expect(execution.outcomes == [.threw("connection lost")])
    #expect(execution.endTime.nanoseconds == Int64(2 + lost) * 1_000_000_000)
  }

  @Test func `that is cancelled between two pieces ends at once`() {
    let execution = simulate { _ in
      let network = FakeNetwork(delay: .none, replies: [Self.ada.inPieces(3, every: .seconds(2))])
      let task = Task { try await network.exchange("GET /profile") { _ in } }
      try await Task.sleep(for: .seconds(3))
      task.cancel()
    }
    #expect(execution.endOfLastCall?.nanoseconds == 3_000_000_000)
    #expect(execution.outcomes == [.cancelled])
  }

  @Test func `has a name that tells it from the whole`() {
    let names = [
      Self.ada, Self.ada.inPieces(1), Self.ada.inPieces(3), Self.ada.inPieces(3, every: .none, lostAfter: 2),
    ].map(\.name)
    #expect(names == ["ok", "ok in 1 piece", "ok in 3 pieces", "ok in 3 pieces, lost after 2"])
  }

  @Test func `is decided piece by piece, as time moves`() {
    var explorer = Explorer(name: "pieces") { simulation in
      let network = FakeNetwork(
        delay: .none, replies: [Self.ada.inPieces(2, every: .between(.zero, and: .seconds(1)))])
      let start = ContinuousClock.now
      try await network.exchange("GET /profile") { _ in }
      let time = start.duration(to: .now)
      simulation.sometimes("calm") { time == .zero }
      simulation.sometimes("one piece is slow") { time == .seconds(1) }
      simulation.sometimes("both are slow") { time == .seconds(2) }
    }
    explorer.budget.schedules = 50
    #expect(explorer.explore().violations.map(\.message) == [])
  }
}
