import Foundation
import SimulatorTesting
import Testing

/// A hundred small tests, to see what containing them costs.
@Suite(.enabled(if: Fixtures.areEnabled)) struct Hundred {
  @Test(.simulated(schedules: 20), arguments: 0..<100) func contained(number: Int) async throws {
    try await Self.withdraw(number)
  }

  @Test(.simulated(schedules: 20, inSeparateProcess: false), arguments: 0..<100) func inProcess(number: Int)
    async throws
  {
    try await Self.withdraw(number)
  }

  private static func withdraw(_ number: Int) async throws {
    let balance = try await Account.balanceAfter(twice: number % 40)
    #expect(balance >= 0)
  }
}
