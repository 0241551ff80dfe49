import Testing

/// What a failing simulated method of XCTest records, seen from outside.
@Suite struct `A failing simulated method of XCTest` {
  /// The lines that say what was recorded about a method.
  private func headlines(_ method: String) -> [Substring] {
    Fixtures.xctest.split(separator: "\n").filter {
      $0.contains("error: FailingTestCase.\(method) : ")
    }
  }

  @Test func `is recorded once, at the line of its assertion`() {
    let lines = headlines("testAssertion")
    #expect(lines.count == 1)
    #expect(lines.first?.contains("FailingTestCase.swift:17: ") == true)
    #expect(lines.first?.contains("(\"-40\") is less than (\"0\") - never overdrawn") == true)
  }

  @Test func `is explained, with the call that replays it`() {
    #expect(Fixtures.xctest.contains("Interleaved between two steps: XCTAssertGreaterThanOrEqual failed"))
    #expect(Fixtures.xctest.contains("replay: simulated(replaying: \"debug/0:1/2#"))
  }

  @Test func `may fail to unwrap, which is no thrown error besides`() {
    let lines = headlines("testUnwrapping")
    #expect(lines.count == 1)
    #expect(lines.first?.contains("FailingTestCase.swift:24: ") == true)
  }

  @Test func `may throw, at the line of the call`() {
    let lines = headlines("testThrown")
    #expect(lines.count == 1)
    #expect(lines.first?.contains("FailingTestCase.swift:29: ") == true)
    #expect(lines.first?.hasSuffix("the body threw Refused()") == true)
  }

  @Test func `may be skipped`() {
    #expect(headlines("testSkipped").isEmpty)
    #expect(Fixtures.xctest.contains("Test Case 'FailingTestCase.testSkipped' skipped"))
  }

  @Test func `refuses a token that leads elsewhere`() {
    #expect(headlines("testStaleToken").count == 1)
    #expect(Fixtures.xctest.contains("this schedule does not lead where it was recorded to lead"))
  }

  @Test func `records at once what is asserted outside`() {
    #expect(headlines("testAfterwardsAnAssertionIsOneAgain").count == 1)
  }

  @Test func `refuses a search that would try nothing`() {
    #expect(
      headlines("testNoSchedules").first?.contains("`schedules: 0` tries nothing; it is 1 at least") == true)
  }
}
