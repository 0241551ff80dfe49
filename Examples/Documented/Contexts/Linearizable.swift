import Simulator
import SimulatorTesting
import Testing

private struct Overdrawn: Error {}

private struct Ledger: Hashable {
  var balance: Int

  mutating func withdraw(_ amount: Int) throws {
    guard balance >= amount else { throw Overdrawn() }
    balance -= amount
  }
}

private actor Account {
  private var ledger: Ledger
  init(balance: Int) { ledger = Ledger(balance: balance) }
  var balance: Int { ledger.balance }
  func withdraw(_ amount: Int) throws { try ledger.withdraw(amount) }
}

// example
