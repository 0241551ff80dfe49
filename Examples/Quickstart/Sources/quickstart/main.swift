import Simulator

actor Account {
  private(set) var balance = 100

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await audit(amount)
    balance -= amount
  }

  private func audit(_ amount: Int) async {
    try? await Task.sleep(for: .seconds(1))
  }
}

let report = explore("withdrawing twice") { simulation in
  let account = Account()
  simulation.always("never overdrawn") {
    let balance = account.assumeIsolated { $0.balance }
    return balance >= 0 ? nil : "the balance is \(balance)"
  }
  async let rent: Void = account.withdraw(70)
  try await Task.sleep(for: simulation.choose(among: [.seconds(2), .milliseconds(500)]))
  async let food: Void = account.withdraw(70)
  _ = await (rent, food)
}

print(report)
