import Simulator
import SimulatorTesting
import Testing

private struct Overdrawn: Error {}

private actor Account {
  private(set) var balance: Int
  init(balance: Int) { self.balance = balance }

  func withdraw(_ amount: Int) throws {
    guard balance >= amount else { throw Overdrawn() }
    balance -= amount
  }
}

// example
