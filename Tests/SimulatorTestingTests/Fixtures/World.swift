import Foundation
import Simulator
import SimulatorTesting
import Testing

/// What depends on things that differ between runs.
@Suite(.enabled(if: Fixtures.areEnabled)) struct World {
  /// Holds for the seed of hashing 0.
  @Test(.simulated(schedules: 20)) func takesTheFirstOfASet() async throws {
    let letters = ["a", "b", "c", "d", "e", "f", "g", "h"]
    #expect(Set(letters).map(\.self).joined() == "hedgafcb")
  }

  @Test(.simulated(schedules: 20)) func trapsWhereNoTimePasses() async throws {
    let start = ContinuousClock.now
    await Task.yield()
    precondition(ContinuousClock.now > start)
  }

  @Test(.simulated(schedules: 20)) func expectsThatTimePasses() async throws {
    let start = ContinuousClock.now
    #expect(ContinuousClock.now > start)
  }
}
