import Testing

/// What tests of one process leave behind, and what a simulated test beside them makes of it, seen from outside.
@Suite(.preparing { (Fixtures.kept, Fixtures.keptXCTest, Fixtures.keptBetweenRuns) })
struct `State that other tests leave behind` {
  @Test func `is not left by a simulated test that fails`() {
    #expect(Recorded.all(of: "first()", in: Fixtures.kept).count == 2)
    #expect(Recorded.all(of: "second()", in: Fixtures.kept).map(\.said) == [])
    #expect(Fixtures.kept.contains("Test second() passed"))
    #expect(Fixtures.kept.contains("Test thirdIsOrdinary() passed"))
  }

  @Test func `does not decide: a fresh process does, and a warning says so`() throws {
    let issues = Recorded.all(of: "isRight()", in: Fixtures.kept)
    #expect(Fixtures.kept.contains("Test isRight() passed"))
    try #require(issues.count == 1, "\(issues.map(\.said))")
    #expect(issues[0].said.contains("recorded a warning"))
    #expect(issues[0].said.contains("state is kept"))
    #expect(issues[0].said.contains("in which it holds"))
  }

  @Test func `has no part in what is found in a fresh process, which says that state is kept`() throws {
    let issues = Recorded.all(of: "isWrongInAnotherWay()", in: Fixtures.kept)
    try #require(issues.count == 1, "\(issues.map(\.said))")
    #expect(issues[0].said.contains("unlucky"))
    #expect(issues[0].said.contains("in a fresh process too"))
    #expect(issues[0].said.contains("state is kept"))
  }

  @Test func `leaves each argument its own verdict`() throws {
    let issues = Recorded.all(of: "ofThree(name:)", in: Fixtures.kept)
    let failures = issues.filter { !$0.headline.contains("warning") }
    try #require(failures.count == 1, "\(issues.map(\.said))")
    #expect(failures[0].said.contains("\"b\""))
    #expect(failures[0].said.contains("unlucky"))
    #expect(issues.count == 3)
  }

  @Test func `is not what a test's own conditions have done`() {
    #expect(Fixtures.kept.contains("Test hasACondition() passed"))
  }

  @Test func `has no part in the replay of a schedule`() throws {
    let token = try #require(Recorded.all(of: "isWrongInAnotherWay()", in: Fixtures.kept).first?.token)
    let issues = Recorded.all(of: "replayed()", in: Fixtures.replay(token, in: "Kept/"))
    try #require(issues.count == 1, "\(issues.map(\.said))")
    #expect(issues[0].said.contains("unlucky"))
    #expect(issues[0].said.contains("violates expectation"))
  }

  @Test func `between runs of one body is named in the failure`() throws {
    let fifteenth = try #require(Recorded.all(of: "fifteenth()", in: Fixtures.keptBetweenRuns).first)
    #expect(fifteenth.said.contains("not in a fresh process"))
    #expect(fifteenth.said.contains("the program keeps state from one execution to the next"))
    let first = try #require(Recorded.all(of: "firstOnly()", in: Fixtures.keptBetweenRuns).first)
    #expect(first.said.contains("the program keeps state from one execution to the next"))
  }

  @Test func `hides nothing that a fresh process would do under another schedule than the natural order`()
    throws
  {
    let issues = Recorded.all(of: "isHiddenByTheFirst()", in: Fixtures.keptBetweenRuns)
    try #require(issues.count == 1, "\(issues.map(\.said))")
    #expect(issues[0].said.contains("unlucky at first"))
    #expect(issues[0].said.contains("in a fresh process too"))
  }

  @Test func `adds nothing to what was found before`() throws {
    let issues = Recorded.all(of: "needsALockThatItsCallerHolds()", in: Fixtures.keptBetweenRuns)
    try #require(issues.count == 1, "\(issues.map(\.said))")
    #expect(issues[0].said.contains("violates deadlock"))
    #expect(issues[0].said.contains("the program keeps state from one execution to the next"))
  }

  @Test func `does not decide about a method of XCTest either`() {
    let output = Fixtures.keptXCTest
    func status(_ name: String) -> String {
      output.contains("Test Case 'KeptTestCase.\(name)' passed") ? "passed" : "failed"
    }
    #expect(status("test1Fails") == "failed")
    #expect(status("test2Passes") == "passed")
    #expect(status("test3IsOrdinary") == "passed")
    #expect(status("test4Passes") == "passed")
    #expect(status("test5FailsInAnotherWay") == "failed")
    #expect(output.contains("XCTAssertTrue failed - unlucky"))
    #expect(output.contains("state is kept"))
  }
}
