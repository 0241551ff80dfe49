import Simulator
import SimulatorTesting
import Testing

actor Account {
  private(set) var balance: Int

  init(balance: Int = 100) { self.balance = balance }

  func withdraw(_ amount: Int) async throws {
    guard balance >= amount else { throw Overdrawn() }
    balance -= amount
    // The audit comes after the money is taken, and changes nothing.
    try await Task.sleep(for: .seconds(1))
  }

  struct Overdrawn: Error, Hashable {}
}

struct Ledger: Hashable {
  private(set) var balance: Int

  mutating func withdraw(_ amount: Int) throws {
    guard balance >= amount else { throw Account.Overdrawn() }
    balance -= amount
  }
}

// page: screen
@MainActor final class ProfileScreen {
  private(set) var isLoading = false
  private(set) var isLeft = false
  private(set) var name: String?
  private var loading: Task<Void, Never>?

  func appear(_ network: FakeNetwork) async {
    isLoading = true
    let loading = Task {
      defer { isLoading = false }
      guard let answer = try? await network.send(.init("GET", "/profile")), !isLeft else { return }
      name = answer.body
    }
    self.loading = loading
    await loading.value
  }

  func disappear() {
    isLeft = true
    loading?.cancel()
  }
}
// page: end

@Suite("What must hold") struct InvariantTests {
  // page: always
  @Test(.simulated) func neverOverdrawn() async throws {
    let account = Account()
    Simulation.current?.always("never overdrawn") {
      let balance = account.assumeIsolated { $0.balance }
      return balance >= 0 ? nil : "the balance is \(balance)"
    }
    async let rent: Void? = try? account.withdraw(70)
    async let food: Void? = try? account.withdraw(70)
    _ = await (rent, food)
  }
  // page: end

  // page: sometimes
  @Test(.simulated) func someoneIsRefused() async throws {
    Simulation.current?.expectReached("refused")
    let account = Account()
    await withTaskGroup { group in
      for amount in [70, 70] {
        group.addTask {
          do { try await account.withdraw(amount) } catch { Simulation.current?.markReached("refused") }
        }
      }
    }
  }
  // page: end

  // page: at-any-moment
  @Test(.simulated) func theRentIsDueAtAnyMoment() async throws {
    let account = Account()
    Simulation.current?.always("never overdrawn") { account.assumeIsolated { $0.balance >= 0 } }
    Simulation.current?.anytime("the rent is due") { Task { try? await account.withdraw(70) } }
    try? await account.withdraw(70)
  }
  // page: end

  // page: anytime
  @Test(.simulated) @MainActor func leftAtAnyMoment() async throws {
    let account = Account()
    let paying = Task { try await account.withdraw(70) }
    Simulation.current?.cancelAnywhere(paying, "the payment")
    _ = await paying.result
    #expect(await account.balance == 30)
  }
  // page: end

  // page: main-actor
  @Test(.simulated) @MainActor func theScreenIsLeft() async throws {
    let simulation = try #require(Simulation.current)
    let screen = ProfileScreen()
    let network = FakeNetwork(delay: .between(.zero, and: .seconds(5)), replies: [.ok("Ada")])
    simulation.always("loads, or has it", onMain: { screen.isLoading || screen.isLeft || screen.name != nil })
    simulation.eventually("has stopped", within: .seconds(6), onMain: { !screen.isLoading })
    simulation.anytime("leave", onMain: { screen.disappear() })
    await screen.appear(network)
  }
  // page: end

  // page: serializable
  @Test(.simulated(schedules: 200)) func withdrawalsAreSerializable() async {
    await Serializable {
      Account(balance: 100)
    } observing: {
      await $0.balance
    }
    .offering("withdraw", among: [30, 70]) { try await $0.withdraw($1) }
    .offering("balance") { await $0.balance }
    .check()
  }
  // page: end

  // page: linearizable
  @Test(.simulated(schedules: 200)) func withdrawalsAreLinearizable() async {
    await Linearizable(as: Ledger(balance: 100)) {
      Account(balance: 100)
    }
    .offering("withdraw", among: [30, 70]) {
      try await $0.withdraw($1)
    } model: {
      try $0.withdraw($1)
    }
    .offering("balance") {
      await $0.balance
    } model: {
      $0.balance
    }
    .check()
  }
  // page: end
}
