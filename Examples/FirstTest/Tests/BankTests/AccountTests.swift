import Bank
import SimulatorTesting
import Testing

@Test(.simulated) func neverOverdrawn() async throws {
  let network = FakeNetwork(delay: .between(.milliseconds(50), and: .seconds(5)))
  let account = Account { _ in _ = try await network.send(FakeNetwork.Request("POST", "/audit")) }
  async let rent: Void = account.withdraw(70)
  try await Task.sleep(for: .seconds(1))
  async let food: Void = account.withdraw(70)
  _ = try await (rent, food)
  let balance = await account.balance
  #expect(balance >= 0)
}
