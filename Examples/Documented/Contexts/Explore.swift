import Simulator
import Testing

private actor Account {
  private(set) var balance: Int
  init(balance: Int) { self.balance = balance }
  func withdraw(_ amount: Int) { balance -= amount }
}

private func example() {
  // example
}
