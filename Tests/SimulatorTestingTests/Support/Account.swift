import Simulator
import Testing

/// Overdrawn when two withdrawals overlap.
actor Account {
  private(set) var balance = 100

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    try? await Task.sleep(for: .seconds(1))
    balance -= amount
  }

  /// The balance after two withdrawals, the second of which begins when `pause` is over.
  static func balanceAfter(twice amount: Int, pause: Duration = .zero) async throws -> Int {
    let account = Account()
    async let first: Void = account.withdraw(amount)
    try await Task.sleep(for: pause)
    async let second: Void = account.withdraw(amount)
    _ = await (first, second)
    return await account.balance
  }

  /// Fails where the schedule lets two withdrawals overlap.
  static func expectEnough() async throws {
    let balance = try await scheduledBalance()
    #expect(balance >= 0)
  }

  /// The balance after two withdrawals that overlap where the schedule says so.
  static func scheduledBalance() async throws -> Int {
    let simulation = try #require(Simulation.current)
    return try await balanceAfter(
      twice: 70, pause: simulation.choose(among: [.seconds(2), .milliseconds(500)]))
  }
}
