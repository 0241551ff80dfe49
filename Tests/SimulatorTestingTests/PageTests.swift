import Testing

/// What simulated tests write where `SIMULATOR_PAGE` names a file.
@Suite struct `A page of simulated tests` {
  @Test func `has each test, with the trait that replays what it found`() throws {
    let page = Fixtures.page(of: "(expectation|watched)\\(")
    let issue = try #require(Recorded.all(of: "expectation()", in: page.output).first)
    let token = try #require(issue.token)
    #expect(page.html.contains("<h2>expectation()</h2>"))
    #expect(page.html.contains("<h2>watched()</h2>"))
    #expect(page.html.contains("<code>.simulated(replaying: &quot;\(token)&quot;)</code>"))
    #expect(page.html.contains("2 simulated tests: 2 with a violation"))
  }

  @Test func `that cannot be written is a warning`() {
    #expect(
      Fixtures.unwritablePage.contains("the page of `SIMULATOR_PAGE` cannot be written to /proc/page.html"))
  }
}
