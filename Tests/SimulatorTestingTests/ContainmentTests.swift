import Foundation
import Testing

/// What a schedule that ends its process does to a simulated test, and to the tests beside it, seen from outside.
@Suite struct `A simulated test that would end its process` {
  /// The one issue of a fixture.
  private func issue(_ name: String) throws -> Recorded {
    let issues = Recorded.all(of: name, in: Fixtures.crashing)
    try #require(issues.count == 1, "\(issues.map(\.headline))")
    return issues[0]
  }

  @Test(arguments: [
    ("fatal()", "Fatal error: the cart is gone"), ("outOfRange()", "Fatal error: Index out of range"),
    ("failedPrecondition()", "Fatal error: never overdrawn"),
    ("unwrapped()", "Fatal error: Unexpectedly found nil while unwrapping an Optional value"),
    ("exits()", "the process was ended by exit(3)"),
  ])
  func `has one issue, which names the violation and what ended it`(name: String, words: String) throws {
    let issue = try issue(name)
    let text = issue.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("Crash: "))
    #expect(text.contains(words))
    #expect(text.contains("violates no-crash"))
  }

  @Test func `is shrunk, and its schedule runs ten times`() throws {
    let text = try issue("fatal()").text
    #expect(text.contains("1 deviation"))
    #expect(text.contains("reproduced 10/10"))
  }

  @Test func `ends with the trait that replays the crash`() throws {
    let token = try #require(try issue("fatal()").token)
    #expect(!token.hasSuffix("#00000000"))
    let again = Recorded.all(
      of: "replayedCrash()", in: Fixtures.replay(token, in: "Crashing/replayedCrash"))
    try #require(again.count == 1, "\(again)")
    #expect(again[0].text.contains("violates no-crash"))
    #expect(again[0].text.contains("the cart is gone"))
    #expect(again[0].token == token)
  }

  @Test func `leaves the other tests to go on`() {
    #expect(Fixtures.crashing.contains("Test passes() passed"))
    #expect(Fixtures.crashing.contains("Test isOrdinary() passed"))
    #expect(Fixtures.crashing.contains("Test run with"))
  }

  @Test func `has an issue for the argument that it belongs to`() throws {
    let issue = try issue("argument(number:)")
    #expect(issue.headline.contains("with 1 argument number → 2"))
    #expect(issue.text.contains("number 2"))
  }

  @Test func `tells what it recorded before`() throws {
    let issues = Recorded.all(of: "failsBeforeItDies()", in: Fixtures.crashing)
    #expect(issues.count == 2, "\(issues.map(\.headline))")
    #expect(issues.contains { $0.text.contains("told before") })
    #expect(issues.contains { $0.text.contains("violates no-crash") })
  }

  @Test func `keeps its suite, which no other process could be given`() {
    #expect(Fixtures.crashing.contains("Test seesItsSuite() passed"))
  }

  @Test func `prints what its body prints`() {
    #expect(Fixtures.crashing.contains("a line of the body"))
  }

  @Test func `says that a continuation was completed twice, and where, once`() throws {
    let issue = try issue("resumedTwice()")
    let text = issue.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("Completed twice: "))
    #expect(text.contains("Crashing.swift:90"))
    #expect(text.contains("Crashing.swift:94"))
  }

  @Test func `fills no screen with what the runtime says of a crash`() {
    #expect(!Fixtures.crashing.contains("Thread 0"))
    #expect(!Fixtures.crashing.contains("Backtrace took"))
    #expect(Fixtures.crashing.components(separatedBy: "SWIFT TASK CONTINUATION MISUSE").count <= 2)
  }
}

/// The real time that a search may take.
@Suite struct `A time budget` {
  @Test func `ends a search, which says what was covered`() throws {
    let issues = Recorded.all(of: "bounded()", in: Fixtures.lasting)
    try #require(issues.count == 1, "\(Fixtures.lasting)")
    #expect(issues[0].headline.contains("recorded a warning"))
    #expect(issues[0].text.contains("schedules, when its time was over: "))
    #expect(issues[0].text.contains("distinct behaviour"))
    #expect(Fixtures.lasting.contains("Test bounded() passed"))
  }

  @Test func `of a suite is shared by its tests`() throws {
    let first = try #require(Recorded.all(of: "first()", in: Fixtures.lasting).first)
    let second = try #require(Recorded.all(of: "second()", in: Fixtures.lasting).first)
    let texts = [first.text, second.text]
    #expect(texts.contains { $0.contains("holds in 1 of") })
    #expect(texts.contains { !$0.contains("holds in 1 of") })
  }
}
