import Testing

@testable import Simulator
@testable import SimulatorCore
@testable import SimulatorKernel

/// Types that are judged by their own operations.
@Suite struct `Side by side as one after another` {
  private struct Poor: Error {}

  private actor Account {
    private(set) var balance: Int
    init(balance: Int) { self.balance = balance }

    /// Asks the bank between the check and the act.
    func withdrawAskingFirst(_ amount: Int) async throws {
      guard balance >= amount else { throw Poor() }
      await Task.yield()
      balance -= amount
    }

    func withdraw(_ amount: Int) throws {
      guard balance >= amount else { throw Poor() }
      balance -= amount
    }
  }

  @Test func `an actor that awaits between check and act is found`() throws {
    let report = Serializable {
      Account(balance: 100)
    } observing: {
      await $0.balance
    }
    .operation("withdraw 70") { try await $0.withdrawAskingFirst(70) }
    .operation("withdraw 50") { try await $0.withdrawAskingFirst(50) }
    .explore()
    let found = try #require(report.violations.first)
    #expect(found.invariant == "serializable")
    #expect(
      found.message
        == "withdraw 70: done, withdraw 50: done; then -20 is observed. No order of them comes to that. "
        + "Nearest, one after another: withdraw 70: done, withdraw 50: throws Poor(); then 30 is observed")
  }

  @Test func `an actor that acts at once holds`() {
    let report = Serializable {
      Account(balance: 100)
    } observing: {
      await $0.balance
    }
    .operation("withdraw 70") { try await $0.withdraw(70) }
    .operation("withdraw 50") { try await $0.withdraw(50) }
    .operation("balance") { await $0.balance }
    .explore()
    #expect(report.holds)
    #expect(report.warnings == [])
  }

  @Test func `what one client does keeps its order`() {
    let report = Serializable {
      Account(balance: 100)
    } observing: {
      await $0.balance
    }
    .operation("withdraw 70") { try await $0.withdraw(70) }
    .then("balance") { await $0.balance }
    .operation("withdraw 10") { try await $0.withdraw(10) }
    .explore()
    #expect(report.holds)
  }

  @Test func `a range of time leaves nothing to judge, and that is said`() {
    let report = Serializable {
      Account(balance: 100)
    } observing: {
      await $0.balance
    }
    .operation("withdraw 70, late") { account in
      try await Simulation.sleep(in: .zero ... .seconds(1))
      try await account.withdrawAskingFirst(70)
    }
    .operation("withdraw 50") { try await $0.withdrawAskingFirst(50) }
    .explore()
    #expect(report.violations.isEmpty)
    #expect(
      report.warnings.contains { $0.hasPrefix("no outcome was judged: something takes a range of time") })
  }

  private actor Profiles {
    private(set) var requests = 0
    private var known: [String: String] = [:]
    private var loading: [String: Task<String, Never>] = [:]

    /// Looks, asks, and keeps.
    func profile(_ name: String) async -> String {
      if let profile = known[name] { return profile }
      let profile = await ask(name)
      known[name] = profile
      return profile
    }

    /// Who comes second waits for the first.
    func shared(_ name: String) async -> String {
      if let task = loading[name] { return await task.value }
      let task = Task { await ask(name) }
      loading[name] = task
      return await task.value
    }

    private func ask(_ name: String) async -> String {
      requests += 1
      try? await Task.sleep(for: .milliseconds(100))
      return name.uppercased()
    }
  }

  @Test func `two equal requests are one too many`() throws {
    let report = Serializable {
      Profiles()
    } observing: {
      await $0.requests
    }
    .operation("ada") { await $0.profile("ada") }
    .operation("ada again") { await $0.profile("ada") }
    .explore()
    let message = try #require(report.violations.first).message
    #expect(message.contains("then 2 is observed. No order of them comes to that."))
    #expect(message.hasSuffix("then 1 is observed"))
  }

  @Test func `a shared request holds, with five clients too`() {
    var profiles = Serializable {
      Profiles()
    } observing: {
      await $0.requests
    }
    for number in 0..<Serializable<Profiles>.maximumOperations {
      profiles = profiles.operation("request \(number)") { await $0.shared("ada") }
    }
    let report = profiles.explore(schedules: 300)
    #expect(report.holds)
    #expect(report.warnings == [])
  }

  @Test func `what is violated one after another is the answer`() {
    let report = Serializable {
      Account(balance: 100)
    } observing: {
      await $0.balance
    }
    .operation("never") { _ in await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } }
    .operation("withdraw 50") { try await $0.withdraw(50) }
    .explore()
    #expect(report.name == "one after another")
    #expect(!report.violations.isEmpty)
  }

  @Test(arguments: [
    ([0, 1, 2], 6), ([0, 0, 1], 3), ([0, 0, 0], 1), ([0, 1, 2, 3, 4], 120), ([0, 0, 1, 1, 2], 30),
  ])
  func `there are as many orders as clients leave open`(clients: [Int], count: Int) {
    let orders = HonestOutcomes.orders(of: clients)
    #expect(orders.count == count)
    #expect(Set(orders).count == count)
  }
}
