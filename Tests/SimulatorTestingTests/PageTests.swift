import Testing

/// What simulated tests write where `SIMULATOR_PAGE` names a file.
@Suite(.preparing { Fixtures.testing }) struct `A page of simulated tests` {
  @Test func `has each test, with the trait that replays what it found`() throws {
    let page = Fixtures.page(of: "(expectation|watched)\\(")
    let issue = try #require(Recorded.all(of: "expectation()", in: page.output).first)
    let token = try #require(issue.token)
    #expect(page.html.contains("<h2>expectation()</h2>"))
    #expect(page.html.contains("<h2>watched()</h2>"))
    #expect(page.html.contains("<code>.simulated(replaying: &quot;\(token)&quot;)</code>"))
    #expect(page.html.contains("2 simulated tests: 2 with a violation"))
  }

  /// Whether a page has the failing run with its marks, and beside it the nearest passing one.
  private func comparesRuns(_ html: String) -> Bool {
    html.contains("<b class=\"dv\">»</b>") && html.contains("the nearest passing run")
      && html.contains("here instead")
  }

  @Test func `has a replay too, with its marks and the nearest passing run`() throws {
    let token = try #require(Recorded.all(of: "shared()", in: Fixtures.testing).first?.token)
    let page = Fixtures.page(of: "replayed", replaying: token)
    #expect(page.html.contains("<h2>replayed()</h2>"))
    #expect(page.html.contains("reproduced, in a fresh process"))
    #expect(page.html.contains("Interleaved between two steps: Expectation failed: "))
    #expect(page.html.contains("<code>.simulated(replaying: &quot;\(token)&quot;)</code>"))
    #expect(comparesRuns(page.html))
  }

  @Test func `has a replay that violates nothing`() {
    let page = Fixtures.page(of: "fixedToken")
    #expect(page.html.contains("<h2>fixedToken()</h2>"))
    #expect(page.html.contains("1 simulated test: nothing is violated"))
    #expect(!page.html.contains("the nearest passing run"))
  }

  @Test func `has the methods of XCTest, with the call that replays what they found`() throws {
    let page = Fixtures.pageOfXCTest("testShared")
    let token = try #require(page.output.firstMatch(of: #/replay: simulated\(replaying: "(.+)"\)/#)?.1)
    #expect(page.html.contains("<h2>FailingTestCase.testShared</h2>"))
    #expect(page.html.contains("FailingTestCase.swift:"))
    #expect(page.html.contains("<code>simulated(replaying: &quot;\(token)&quot;)</code>"))
    let replayed = Fixtures.pageOfXCTest("testReplayed", replaying: token)
    #expect(replayed.html.contains("<h2>FailingTestCase.testReplayed</h2>"))
    #expect(replayed.html.contains("<code>simulated(replaying: &quot;\(token)&quot;)</code>"))
    #expect(comparesRuns(replayed.html))
  }

  @Test(arguments: [false, true])
  func `is one for all processes of a run, one after the other and at once`(atOnce: Bool) throws {
    let page = try Fixtures.pageOfBoth(atOnce: atOnce)
    #expect(page.contains("<h2>FailingTestCase.testShared</h2>"))
    #expect(page.contains("<h2>watched()</h2>"))
    #expect(page.contains("2 simulated tests: 2 with a violation"))
    // The next run begins anew, as does one that finds what is no page.
    let earlier = page.replacing("testShared", with: "testOfAnEarlierRun")
    let next = try Fixtures.pageOfBoth(atOnce: atOnce, earlier: earlier)
    #expect(!next.contains("testOfAnEarlierRun"))
    #expect(next.contains("2 simulated tests: 2 with a violation"))
  }

  @Test func `that cannot be written is a warning`() {
    #expect(
      Fixtures.unwritablePage.contains("the page of `SIMULATOR_PAGE` is lost: cannot write /proc/page.html"))
  }
}
