import SimulatorTesting
import Testing

/// Twenty tests whose program loses an update, each in a function and at a line of its own.
@Suite struct Actors {
  actor Account {
    private(set) var balance = 100

    func withdraw(_ amount: Int) async throws {
      guard balance >= amount else { return }
      try await Task.sleep(for: .milliseconds(30))
      balance -= amount
    }
  }

  @Test(.simulated) func overdrawn01() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(1))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn02() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(2))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn03() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(3))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn04() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(4))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn05() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(5))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn06() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(6))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn07() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(7))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn08() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(8))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn09() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(9))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn10() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(30))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn11() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(11))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn12() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(12))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn13() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(13))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn14() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(14))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn15() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(15))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn16() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(16))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn17() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(17))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn18() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(18))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn19() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(19))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }

  @Test(.simulated) func overdrawn20() async throws {
    let account = Account()
    async let rent: Void = account.withdraw(70)
    try await Task.sleep(for: .milliseconds(20))
    async let food: Void = account.withdraw(70)
    _ = try await (rent, food)
    let balance = await account.balance
    #expect(balance >= 0)
  }
}
