import Foundation
import Testing

/// What a failing simulated method of XCTest records, seen from outside.
@Suite(.preparing { Fixtures.xctest }) struct `A failing simulated method of XCTest` {
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
    #expect(
      Fixtures.xctest.contains("Interleaved between two steps: task 2 ran on Account between two steps"))
    #expect(Fixtures.xctest.contains("what to do: write the call below in the place of `simulated`"))
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
    #expect(lines.first?.contains("the body threw Refused()") == true)
  }

  @Test func `may deadlock, which its first line says, with its own lines and none of ours`() throws {
    let line = try #require(headlines("testStuck").first)
    #expect(line.contains(": Deadlock: nothing can run: "))
    #expect(line.contains("at FailingTestCase.waitForEver() FailingTestCase.swift:"))
    #expect(line.contains("<- closure in FailingTestCase.testStuck() FailingTestCase.swift:"))
    #expect(!line.contains("HeldFailures"))
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

/// What a schedule that ends its process does to a simulated method of XCTest, and to the methods beside it, seen from
/// outside.
@Suite(.preparing { Fixtures.crashingXCTest })
struct `A simulated method of XCTest that would end its process` {
  /// What was recorded about a method, each failure with the lines below it.
  private func failures(_ method: String, in output: String = Fixtures.crashingXCTest) -> [String] {
    let head = "error: CrashingTestCase.\(method) : "
    return output.components(separatedBy: head).dropFirst().map { text in
      text.components(separatedBy: "\nTest Case ")[0]
    }
  }

  @Test(arguments: [
    ("testACrash", "Fatal error: the cart is gone"), ("testAnExit", "the process was ended by exit(3)"),
  ])
  func `fails once, with what ended it`(method: String, words: String) throws {
    let found = failures(method)
    try #require(found.count == 1, "\(found)")
    let text = found[0].split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("Crash: "))
    #expect(text.contains(words))
    #expect(text.contains("violates no-crash"))
    #expect(text.contains("1 deviation"))
    #expect(text.contains("reproduced 10/10"))
  }

  @Test func `fails by a trap in a type that is judged by its operations`() throws {
    let found = failures("testATypeThatIsJudged")
    try #require(found.count == 1, "\(found)")
    let text = found[0].split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("a seat is taken twice"))
    #expect(text.contains("violates no-crash"))
    #expect(text.contains("take on task 1"))
  }

  @Test func `fails by what it asserted in the same step too, and first`() throws {
    let found = failures("testAFailureBesideACrash")
    try #require(found.count == 2, "\(found)")
    #expect(found[0].contains("told in the same step"))
    #expect(found[1].contains("violates no-crash"))
  }

  @Test func `ends with the call that replays the crash`() throws {
    let text = try #require(failures("testACrash").first)
    let token = try #require(text.firstMatch(of: #/replay: simulated\(replaying: "(.+)"\)/#)?.1)
    let again = failures("testAReplay", in: Fixtures.replayXCTest(token, in: "CrashingTestCase/testAReplay"))
    try #require(again.count == 1, "\(again)")
    #expect(again[0].contains("the cart is gone"))
    #expect(again[0].contains(token))
  }

  @Test func `fails where its first execution lasts longer than the search may`() throws {
    let found = failures("testAFirstExecutionWithoutEnd")
    try #require(found.count == 1, "\(found)")
    #expect(found[0].contains("not judged: the time of the search was over"))
  }

  @Test func `leaves the other methods to go on`() {
    #expect(Fixtures.crashingXCTest.contains("Test Case 'CrashingTestCase.testLast' passed"))
    #expect(Fixtures.crashingXCTest.contains("Executed 9 tests"))
  }

  @Test func `changes a global in a copy of the process only`() {
    #expect(Fixtures.crashingXCTest.contains("Test Case 'CrashingTestCase.testChangesACopy' passed"))
  }
}
