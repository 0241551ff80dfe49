import SimulatorXCTest
import XCTest

// page: xctest
final class AccountXCTests: SimulatedTestCase {
  func testNeverOverdrawn() throws {
    try simulated(schedules: 1_000) {
      let account = Account()
      async let rent: Void? = try? account.withdraw(70)
      async let food: Void? = try? account.withdraw(70)
      _ = await (rent, food)
      let balance = await account.balance
      XCTAssertGreaterThanOrEqual(balance, 0)
    }
  }
}
// page: end
