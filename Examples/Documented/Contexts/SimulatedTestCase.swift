import SimulatorXCTest
import XCTest

private actor Account {
  private(set) var balance = 100
  func withdraw(_ amount: Int) { balance -= amount }
}

// example
