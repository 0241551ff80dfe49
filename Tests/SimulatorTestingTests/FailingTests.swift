import Testing

/// What a failing simulated test records, seen from outside.
@Suite(.preparing { Fixtures.testing }) struct `A failing simulated test` {
  /// The issues of a fixture.
  private func issues(_ name: String) -> [Recorded] { Recorded.all(of: name, in: Fixtures.testing) }

  /// The one issue of a fixture.
  private func issue(_ name: String) throws -> Recorded {
    let issues = issues(name)
    try #require(issues.count == 1, "\(issues.map(\.headline))")
    return issues[0]
  }

  @Test func `is recorded once, at the line of its expectation, with its values and comment`() throws {
    let issue = try issue("expectation()")
    #expect(issue.headline.contains("Failing.swift:16:5: Expectation failed: (balance → -40) >= 0"))
    #expect(issue.text.hasPrefix("never overdrawn\n"))
  }

  @Test func `is explained and shrunk`() throws {
    let text = try issue("expectation()").text
    #expect(text.contains("1 of 4 schedules failed; seed 0"))
    let said = try issue("expectation()").said
    #expect(said.contains("Interleaved between two steps: task 2 ran on Account between two steps of task 1"))
    #expect(text.contains("500 ms                    task 2: withdraw(_:) Account.swift:9"))
    #expect(text.contains("minimal: the natural order holds"))
  }

  @Test func `tells the proof, what happened, what was tried and what to do, in this order`() throws {
    let parts = [
      "never overdrawn", "Interleaved between", "what happened, in virtual time:", "nearest passing run:",
      "the natural order except that", "violates expectation at", "1 of 4 schedules failed",
      "what to do: write the trait",
      "replay: ",
    ]
    var rest = try issue("expectation()").text[...]
    for part in parts {
      let place = try #require(rest.firstRange(of: part), "“\(part)” is not told, or too early")
      rest = rest[place.upperBound...]
    }
  }

  @Test(arguments: [
    ("stuck()", "Deadlock: nothing can run: ", "Failing.stuck() Failing.swift:35"),
    ("watched()", "never overdrawn: does not hold; seen after ", "withdraw(_:) Account.swift:10"),
    ("exits()", "Escape: the program leaves the simulation by ", ""),
    ("noSchedules()", "`schedules: 0` tries nothing", ""),
    ("neverSeen()", "“a retry” never happened in ", ""),
    ("garbledToken()", "“debug” is no schedule", ""),
    ("nobodysToken(_:)", "this schedule is none of any argument", ""),
    ("staleToken()", "this schedule does not lead where it was recorded", ""),
  ])
  func `says in its first line what went wrong, and where`(_ name: String, _ words: String, _ place: String)
    throws
  {
    let headline = try issue(name).headline
    #expect(headline.contains(words) && headline.contains(place), "\(headline)")
  }

  @Test func `ends with the trait that replays it`() throws {
    let issue = try issue("expectation()")
    let token = try #require(issue.token)
    #expect(token.hasPrefix("debug/0:1/2#") || token.hasPrefix("release/"))
    #expect(issue.text.hasSuffix("replay: .simulated(replaying: \"\(token)\")"))
  }

  @Test func `fails again when that trait replays it`() throws {
    let token = try #require(try issue("shared()").token)
    let again = Recorded.all(of: "replayed()", in: Fixtures.replay(token))
    #expect(again.count == 1)
    #expect(again.first?.headline.contains("Expectation failed: (balance → -40) >= 0") == true)
    #expect(again.first?.token == token)
  }

  @Test func `may fail in a requirement, which is no thrown error besides`() throws {
    let issue = try issue("requirement()")
    #expect(issue.headline.contains("Failing.swift:21:13: Expectation failed: answer → nil"))
  }

  @Test func `may throw`() throws {
    let issue = try issue("thrown()")
    #expect(issue.headline.contains("Caught error: Refused()"))
    #expect(issue.text.contains("violates throws"))
  }

  @Test func `has an issue for each line that fails`() {
    let lines = issues("twoLines()").map { $0.headline.contains(":30:") ? 30 : 31 }
    #expect(lines == [30, 31])
  }

  @Test func `may deadlock`() throws {
    let said = try issue("stuck()").said
    #expect(
      said.contains(
        "Deadlock: nothing can run: root waits for a continuation that was dropped and never resumed at Failing.stuck()"
      ))
    #expect(!said.contains("swiftmacro"))
  }

  @Test func `may break what its body watches through the current simulation`() throws {
    let issue = try issue("watched()")
    #expect(issue.text.contains("violates never overdrawn"))
  }

  @Test func `with arguments fails for one of them`() throws {
    let issue = try issue("argument(amount:)")
    #expect(issue.headline.contains("with 1 argument amount → 70"))
  }

  @Test func `may be on the main actor`() throws {
    let issue = try issue("mainActor()")
    #expect(issue.headline.contains("Expectation failed: (count → 1) == 2"))
    #expect(issue.text.contains("time  MainActor"))
  }

  @Test func `may miss a confirmation`() throws {
    #expect(try issue("confirmed()").headline.contains("Confirmation was confirmed 0 times"))
  }

  @Test func `may record an issue itself`() throws {
    #expect(try issue("recorded()").text.hasPrefix("the schedule was unlucky\n"))
  }

  @Test func `keeps its known issues known, and must show them under every schedule`() throws {
    let known = try issue("known()")
    #expect(known.headline.contains("recorded a known issue"))
    let both = issues("sometimesKnown()").map(\.headline)
    #expect(both.count == 2)
    #expect(both.last?.contains("Known issue was not recorded") == true)
  }

  @Test func `passes in spite of warnings, each shown once`() throws {
    #expect(try issue("warned()").headline.contains("recorded a warning"))
    #expect(Fixtures.testing.contains("Test warned() passed"))
  }

  @Test func `finds what a detached task expects, though that has no test`() throws {
    let issue = try issue("detached()")
    #expect(issue.text.contains("in nobody's name"))
    #expect(issue.token != nil)
  }

  @Test func `may be cancelled`() {
    #expect(issues("cancelled()").isEmpty)
    #expect(Fixtures.testing.contains("Test cancelled() was cancelled"))
  }

  @Test func `cannot wait for another process, which is an escape`() throws {
    #expect(try issue("exits()").headline.contains("Escape: "))
  }

  @Test func `refuses a token that leads elsewhere, at the trait`() throws {
    let issue = try issue("staleToken()")
    #expect(issue.headline.contains("Failing.swift:"))
    #expect(issue.headline.contains("this schedule does not lead where it was recorded to lead"))
    #expect(issue.text.contains("the recording goes on to choice 9, but this run ended after 0 choices"))
  }

  @Test func `refuses what is no token, and says what one looks like`() throws {
    #expect(
      try issue("garbledToken()").headline.contains("“debug” is no schedule: a token begins with “debug/”"))
  }

  @Test func `refuses a token that belongs to none of its arguments, once`() throws {
    let issue = try issue("nobodysToken(_:)")
    #expect(issue.headline.contains("this schedule is none of any argument of the test"))
  }

  @Test func `about a fake's calls reads as a sentence`() throws {
    let sentence =
      "network received PUT /profile twice: 1 returned status: 200, body: \"\", 2 is in flight).once"
    #expect(try issue("sentence()").headline.contains(sentence))
  }

  @Test func `refuses a search that would try nothing`() throws {
    #expect(try issue("noSchedules()").headline.contains("`schedules: 0` tries nothing; it is 1 at least"))
  }

  @Test func `passes with a warning where the search is cut short of what it was to cover`() throws {
    let issue = try issue("cutShort()")
    #expect(issue.headline.contains("recorded a warning"))
    #expect(issue.text.contains("but not all schedules with at most 2 deviations"))
    #expect(Fixtures.testing.contains("Test cutShort() passed"))
  }

  @Test(arguments: ["fixedToken()", "fixedForAll(_:)"])
  func `passes where a token violates nothing any more, and says exactly that`(_ name: String) throws {
    let issue = try issue(name)
    #expect(issue.headline.contains("recorded a warning"))
    #expect(issue.text.contains("nothing is violated any more: every recorded choice was met"))
    #expect(
      Fixtures.testing.contains("Test \(name) passed") || Fixtures.testing.contains("Test \(name) with 2"))
  }

  @Test func `is silent about a kept token that violates nothing`() {
    #expect(issues("guardedByToken()").isEmpty)
    #expect(Fixtures.testing.contains("Test guardedByToken() passed"))
  }

  @Test(arguments: ["partedToken()", "partedForAll(_:)"])
  func `says where a kept token parts from its recording, once, and passes`(_ name: String) throws {
    let issue = try issue(name)
    #expect(issue.headline.contains("recorded a warning"))
    #expect(issue.text.contains("parts from its recording"))
    #expect(issue.text.contains("the recording goes on to choice 9"))
  }

  @Test func `fails by a kept token that its search alone would have missed`() throws {
    #expect(issues("missedWithoutToken()").isEmpty)
    #expect(try issue("brokenAgain()").headline.contains("Expectation failed: (balance → -40) >= 0"))
  }

  @Test func `that passes tells what it covered when it is asked`() {
    #expect(!Fixtures.testing.contains("guardedByToken(): holds in"))
    let told = Fixtures.covering("guardedByToken")
    #expect(told.contains("guardedByToken(): holds in 4 schedules, seed 0, in one process"))
    #expect(told.contains("1 distinct behavior"))
  }

  @Test func `says what was to happen in some schedule and did in none`() throws {
    let issue = try issue("neverSeen()")
    #expect(issue.headline.contains("Failing.swift:"))
    #expect((issue.headline + issue.text).contains("“a retry” never happened in "))
  }

  @Test func `may have come to what no schedule is to come to`() throws {
    let issue = try issue("notToBeReached()")
    #expect(issue.text.contains("violates bad luck"))
    #expect(issue.token != nil)
  }

  @Test func `that judges in vain says so`() throws {
    let issue = try issue("judgedInVain()")
    #expect(
      (issue.headline + issue.text).contains(
        "holds in 1 schedule, in none of which serializable had anything to judge"))
  }
}
