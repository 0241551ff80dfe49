import Testing

@testable import Scenarios

@Suite struct `The progress line` {
  private static func text(_ schedules: Int, _ variants: Int, columns: Int = 80) -> String {
    ProgressLine.text(
      .init(
        variants: variants, of: 240, schedules: schedules, behaviors: schedules / 3, elapsed: .seconds(10),
        limit: .seconds(60)), columns: columns)
  }

  @Test func `tells how far the search has come, how fast, and for how long it will go on`() {
    #expect(
      Self.text(12_340, 60)
        == "60/240 variants · 12,340 schedules · 1,234/s · 4,113 behaviors · 30 s left")
    #expect(Self.text(5, 0).hasSuffix(" 50 s left"))
  }

  @Test func `never fills the last column`() {
    for columns in [1, 20, 40, 80] {
      #expect(Self.text(999_999_999_999, 239, columns: columns).count < columns)
    }
  }
}
