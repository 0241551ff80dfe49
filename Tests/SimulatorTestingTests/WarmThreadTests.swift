import Testing

/// Threads that are older than a search, seen from outside.
@Suite(.preparing { Fixtures.warm }) struct `A thread that is older than the search` {
  private func issue(_ name: String) throws -> Recorded {
    let issues = Recorded.all(of: name, in: Fixtures.warm)
    try #require(issues.count == 1, "\(issues.map(\.said)) \(Fixtures.warm)")
    return issues[0]
  }

  @Test(arguments: [
    (
      "loopAnswers()", "the thread “the loop”, started at Loop.init() Warm.swift:",
      "Loop.answer() Warm.swift:"
    ),
    ("workerAnswers()", "a thread, started at Worker.init() Warm.swift:", "Worker.answer() Warm.swift:"),
    (
      "blockAnswers()", "a block on a queue of Dispatch, started at BlockOnAQueue.init() Warm.swift:",
      "BlockOnAQueue.answer() Warm.swift:"
    ),
    (
      "timerAnswers()", "a source of events, made at Ticker.init() Warm.swift:", "Ticker.answer() Warm.swift:"
    ),
  ])
  func `that answers is an escape, with its name and the line that waits`(
    name: String, thread: String, line: String
  ) throws {
    let issue = try issue(name)
    #expect(issue.said.contains("violates escape"))
    #expect(issue.said.contains(thread))
    #expect(issue.said.contains(line))
  }

  @Test func `of which a signal would wake one of several is an escape too`() throws {
    let said = try issue("poolAnswersAThread()").said
    #expect(said.contains("Escape: the program leaves the simulation by pthread_cond_wait"))
  }

  @Test func `is none in a fresh process where only another test has started it`() {
    #expect(Fixtures.warm.contains("Test poolOfAnotherTestAnswers() passed"))
  }

  @Test func `and belongs to a queue is no escape`() {
    #expect(Fixtures.warm.contains("Test queueAnswers() passed"))
  }

  @Test func `hides no deadlock that it cannot end`() throws {
    #expect(try issue("nothingAnswers()").said.contains("violates deadlock"))
  }

  @Test func `leaves a deadlock where it is a timer that was cancelled`() throws {
    #expect(try issue("cancelledTimerAnswers()").said.contains("violates deadlock"))
  }

  @Test func `and does not answer leaves a deadlock`() throws {
    #expect(try issue("onlyTheSleeperCouldAnswer()").said.contains("violates deadlock"))
  }

  @Test func `has no part in another test`() throws {
    #expect(try issue("isBesideThreadsOfOthers()").said.contains("violates deadlock"))
  }
}
