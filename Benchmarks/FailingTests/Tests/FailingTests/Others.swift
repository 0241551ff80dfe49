import Foundation
import FoundationNetworking
import Simulator
import SimulatorHTTP
import SimulatorTesting
import Synchronization
import Testing

/// Ten tests that fail where steps overlap: two tasks read a balance under a lock, and write it under another turn of it.
@Suite struct Locks {
  private final class Account: @unchecked Sendable {
    private let lock = NSLock()
    private var amount = 100

    var balance: Int { lock.withLock { amount } }

    func withdraw(_ sum: Int) {
      guard balance >= sum else { return }
      lock.withLock { amount -= sum }
    }
  }

  @Test(.simulated, arguments: 1...10) func overdrawn(sum: Int) async {
    let account = Account()
    let amount = 60 + sum
    async let rent: Void = Task.detached { account.withdraw(amount) }.value
    async let food: Void = Task.detached { account.withdraw(amount) }.value
    _ = await (rent, food)
    #expect(account.balance >= 0)
  }
}

/// Ten tests in which the answer to an older request overwrites that to a newer one.
@Suite struct Sessions {
  @MainActor private final class Model {
    var shown = ""

    func load(_ name: String) async throws {
      let url = try #require(URL(string: "https://example.org/\(name)"))
      let (data, _) = try await URLSession.shared.data(from: url)
      shown = String(decoding: data, as: UTF8.self)
    }
  }

  @MainActor @Test(.simulated, arguments: 1...10) func newest(number: Int) async throws {
    let simulation = try #require(Simulation.current)
    let delay = simulation.choose(among: [Duration.milliseconds(50), .milliseconds(900)])
    FakeHTTP([
      "GET /old": [FakeBehavior(delay: .fixed(delay), replies: [.ok("old \(number)")])],
      "GET /new": [FakeBehavior(delay: .fixed(.milliseconds(50)), replies: [.ok("new \(number)")])],
    ]).interceptURLSession(in: simulation)
    let model = Model()
    let old = Task { try await model.load("old") }
    try await Task.sleep(for: .milliseconds(100))
    let new = Task { try await model.load("new") }
    _ = try await (old.value, new.value)
    #expect(model.shown == "new \(number)")
  }
}

/// Ten tests in a process that an earlier schedule has changed.
@Suite struct Kept {
  private static let visits = Atomic(0)

  @Test(.simulated, arguments: 1...10) func first(number: Int) async {
    let isUnlucky = Simulation.current?.choose(among: [false, true]) ?? false
    let count = Self.visits.add(1, ordering: .relaxed).newValue
    await Task.yield()
    #expect(count == 1 && !isUnlucky)
  }
}
