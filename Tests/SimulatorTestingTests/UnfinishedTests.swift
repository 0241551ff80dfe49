import Testing

/// What a test says whose body has not returned when its schedule ends.
@Suite(.preparing { (Fixtures.unfinished, Fixtures.unfinishedXCTest) })
struct `A body that has not returned` {
  private func issues(_ name: String) -> [Recorded] { Recorded.all(of: name, in: Fixtures.unfinished) }

  @Test(arguments: [
    ("sleepsTooLong()", "600 s: root waits for a timer", "since 0 s;"),
    ("polls()", "600 s: root waits for a timer", "since 600 s;"),
    ("awaitsTask()", "600 s: root waits for task 1 at ", "since 0 s; 1 waits for a timer"),
    ("limited()", "10 s: root waits for a timer", "since 0 s;"),
  ])
  func `fails, and says which line waits for what and since when`(
    _ name: String, _ limit: String, _ since: String
  ) throws {
    let issues = issues(name)
    try #require(issues.count == 1)
    #expect(issues[0].said.contains("Not finished: the body has not returned by the time limit of \(limit)"))
    #expect(issues[0].said.contains("\(name) Unfinished.swift:"), "\(issues[0].said)")
    #expect(issues[0].said.contains(since), "\(issues[0].said)")
    #expect(issues[0].said.contains("if it needs longer, raise `timeLimit`"))
    #expect(issues[0].text.contains("replay: .simulated(replaying: "))
  }

  @Test(arguments: ["returnsAfterNineMinutes()", "returnsInAnHour()", "pollsForAnActionThatComes()"])
  func `passes if it returns in time`(_ name: String) {
    #expect(Fixtures.unfinished.contains("Test \(name) passed"))
    #expect(!issues(name).contains { !$0.headline.contains("warning") })
  }

  @Test func `is not judged where an action that may happen at any time has not happened`() throws {
    let issue = try #require(issues("pollsForAnAction()").first)
    #expect(issue.said.contains("no schedule was judged: the body had not returned"))
  }

  @Test func `fails under XCTest too`() {
    let output = Fixtures.unfinishedXCTest
    #expect(output.contains("Not finished: the body has not returned by the time limit of 600 s"))
    #expect(output.contains("Executed 2 tests, with 1 failure"))
  }
}

/// What a test that passes says of what it has not tested.
@Suite(.preparing { (Fixtures.advised, Fixtures.unfinishedXCTest) }) struct `A passing test` {
  private func warnings(_ name: String) -> [Recorded] { Recorded.all(of: name, in: Fixtures.advised) }

  @Test(arguments: [
    (
      "startsTwoSearches()", "tasks were still at work when the body returned", "search() Unfinished.swift:"
    ),
    (
      "leavesATicker()", "a task was still at work when the body returned",
      "leavesATicker() Unfinished.swift:"
    ),
    (
      "leavesOneThatYields()", "a task was still at work when the body returned",
      "leavesOneThatYields() Unfinished.swift:"
    ),
    (
      "neverRequested()", "the route `GET /news` of the fake “network” was never requested in any schedule",
      ""
    ),
    (
      "misspelled()",
      "no route of the fake “http” fits the request `GET /profiel`; did you mean `GET /profile`?", ""
    ),
    ("twoReasons()", "a task was still at work when the body returned", ""),
  ])
  func `has one warning, with its fix`(_ name: String, _ words: String, _ place: String) throws {
    let warnings = warnings(name)
    try #require(warnings.count == 1, "\(warnings)")
    #expect(warnings[0].headline.contains("warning"))
    #expect(warnings[0].said.contains(words) && warnings[0].said.contains(place), "\(warnings[0].said)")
    #expect(Fixtures.advised.contains("Test \(name) passed"))
  }

  @Test(arguments: [
    "letsTimePass()", "cancelsATicker()", "leavesAConsumer()", "requestedInSomeSchedules()",
    "namesAnAnswerForOthers()",
  ])
  func `says nothing where there is nothing to say`(_ name: String) {
    #expect(warnings(name).isEmpty, "\(warnings(name))")
    #expect(Fixtures.advised.contains("Test \(name) passed"))
  }

  @Test func `has one warning for all arguments, of a route that none requests`() throws {
    #expect(warnings("requestedByArguments(path:)").isEmpty)
    #expect(Fixtures.advised.contains("Test requestedByArguments(path:) with 2 test cases passed"))
    let warnings = warnings("neverRequestedByArguments(number:)")
    try #require(warnings.count == 1, "\(warnings)")
    #expect(warnings[0].said.contains("the route `GET /news` of the fake “network” was never requested"))
  }

  @Test func `prints one line under XCTest`() {
    let lines = Fixtures.unfinishedXCTest.split(separator: "\n").filter { $0.contains("warning: ") }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("warning: a task was still at work when the body returned") == true)
  }
}
