import Foundation
import TestEffort
import Testing

@testable import Simulator
@testable import SimulatorCore
@testable import SimulatorKernel
@testable import SimulatorStrategies

private struct Poor: Error {}

private actor Account {
  private(set) var balance = 100

  func withdrawAskingFirst(_ amount: Int) async throws {
    guard balance >= amount else { throw Poor() }
    await Task.yield()
    balance -= amount
  }

  func withdraw(_ amount: Int) throws {
    guard balance >= amount else { throw Poor() }
    balance -= amount
  }

  func deposit(_ amount: Int) { balance += amount }
}

/// Operations of which each schedule picks some.
@Suite struct `Offered operations` {
  private static let hasty = Serializable {
    Account()
  } observing: {
    await $0.balance
  }
  .offering("deposit", among: 1...2) { await $0.deposit($1) }
  .offering("withdraw", among: [30, 70]) { try await $0.withdrawAskingFirst($1) }
  .offering("balance") { await $0.balance }

  @Test func `what they come to is found, and shrunk to the two that it takes`() throws {
    let violation = try #require(Self.hasty.explore().violations.first)
    #expect(violation.invariant == "serializable")
    let told = violation.message.components(separatedBy: "; then")[0]
    #expect(told.components(separatedBy: ", ").count == 2, "\(violation.message)")
    #expect(violation.message.contains("No order of them comes to that."))
  }

  @Test func `what is found replays by its token, from another explorer`() throws {
    let token = try #require(Self.hasty.explore().violations.first).token
    let again = Explorer(name: "again") { _ in await Self.hasty.check() }.replay(token)
    #expect(again.divergence == nil)
    #expect(again.execution.violations.map(\.invariant) == ["serializable"])
  }

  @Test func `the natural order picks none`() throws {
    let picked = Simulator.Guarded<[[[Int]]]>([])
    var explorer = Explorer(name: "natural") { simulation in
      let drawn = simulation.draw(of: ["a", "b"], OfferLimits(operations: 3, tasks: 2))
      picked.withLock { $0.append(drawn) }
    }
    explorer.budget.schedules = 1
    _ = explorer.explore()
    #expect(picked.withLock { $0.allSatisfy(\.isEmpty) })
  }

  @Test func `every selection within the limits can be picked`() {
    let picked = Simulator.Guarded<Set<[[Int]]>>([])
    var explorer = Explorer(name: "all") { simulation in
      let drawn = simulation.draw(of: ["a", "b"], OfferLimits(operations: 2, tasks: 2))
      picked.withLock { _ = $0.insert(drawn) }
    }
    explorer.strategy = Strategies.ExhaustiveDFS()
    #expect(explorer.explore().coverage != nil)
    let pairs = [0, 1].flatMap { one in [0, 1].flatMap { [[[one, $0]], [[one], [$0]]] } }
    #expect(picked.withLock(\.self) == Set([[], [[0]], [[1]]] + pairs))
  }

  @Test func `a type that acts at once holds`() {
    let report = Serializable {
      Account()
    } observing: {
      await $0.balance
    }
    .offering("withdraw", among: [30, 70]) { try await $0.withdraw($1) }
    .offering("balance") { await $0.balance }
    .upTo(operations: 5, tasks: 3)
    .explore(schedules: 300)
    #expect(report.holds)
    #expect(report.vacuousInvariants?.isEmpty == true)
  }

  @Test func `what cannot be judged in any schedule is told`() {
    let report = Serializable {
      Account()
    } observing: {
      await $0.balance
    }
    .offering("withdraw, late") { account in
      try await Simulation.sleep(in: .zero ... .seconds(1))
      try await account.withdrawAskingFirst(70)
    }
    .explore(schedules: 1)
    #expect(report.violations.isEmpty)
    #expect(report.vacuousInvariants == ["serializable"])
  }

  @Test func `operations that always run may be beside them`() throws {
    let report = Serializable {
      Account()
    } observing: {
      await $0.balance
    }
    .operation("withdraw 70") { try await $0.withdrawAskingFirst(70) }
    .offering("withdraw", among: [50]) { try await $0.withdrawAskingFirst($1) }
    .explore()
    let message = try #require(report.violations.first).message
    #expect(message.hasPrefix("withdraw 70: done, withdraw(50): done; then -20 is observed."))
  }
}

/// Two sleepers of which the shorter one comes first, unless sleeps may end late.
private actor Sleepers {
  private(set) var first = 0

  func race() async {
    first = 0
    await withTaskGroup { group in
      for (number, length) in [(1, 10_000), (2, 10_200)] {
        group.addTask {
          try? await Task.sleep(for: .microseconds(length))
          await self.woke(number)
        }
      }
    }
  }

  private func woke(_ number: Int) { if first == 0 { first = number } }
}

@Suite struct `Operations one after the other` {
  private static func report(jitter: Duration, schedules: Int = 100) -> Explorer.Report {
    let options = Simulation.Options(timerJitter: jitter)
    var explorer = Explorer(name: "sleepers", options: options) { _ in
      await Serializable {
        Sleepers()
      } observing: {
        await $0.first
      }
      .offering("race") { await $0.race() }
      .check()
    }
    explorer.budget.schedules = schedules
    explorer.budget.shrinkingExecutions = 0
    return explorer.explore()
  }

  @Test func `have the jitter of the search: what it makes possible is honest`() {
    let report = Self.report(jitter: .milliseconds(1), schedules: tries(20, more: 100, all: 100))
    #expect(report.violations.map(\.message) == [])
    // Without, the longer sleeper is first only if the other race has begun in between.
    #expect(!Self.report(jitter: .zero).holds)
  }
}
