import Simulator
import Testing

/// A search that was stopped before its first schedule.
@Suite struct `Nothing tested` {
  @Test func `a search that tried no schedule does not say that anything holds`() async {
    let report = await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return explore("cancelled") { _ in }
    }.value
    #expect(report.schedules == 0)
    #expect(report.violations.isEmpty)
    #expect(!report.holds)
    #expect(report.description.hasPrefix("cancelled: tested nothing, seed 0"))
  }

  @Test func `a search that tried one schedule may say it`() {
    let report = explore("once", schedules: 1) { _ in }
    #expect(report.schedules == 1)
    #expect(report.holds)
  }
}
