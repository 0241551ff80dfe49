import Testing

/// A schedule that one test has found, replayed by another test of the same file.
@Suite struct `A schedule of another test` {
  private func token(_ name: String) throws -> Substring {
    let issues = Recorded.all(of: "\(name)()", in: Fixtures.replay("", in: "Helped/\(name)"))
    return try #require(issues.first?.token, "\(issues.map(\.headline))")
  }

  @Test(arguments: [("finds", "replays"), ("findsInALock", "replaysInALock")])
  func `leads where it was recorded to lead, where both call the same function`(
    _ finds: String, _ replays: String
  ) throws {
    let token = try token(finds)
    let again = Recorded.all(of: "\(replays)()", in: Fixtures.replay(token, in: "Helped/\(replays)"))
    #expect(again.count == 1, "\(again.map(\.headline))")
    #expect(again.first?.token == token)
    #expect(again.first?.headline.contains("does not lead where it was recorded") == false)
  }

  @Test func `has parted where another expectation is not met`() throws {
    let output = Fixtures.replay(try token("finds"), in: "Helped/replaysAnother")
    #expect(output.contains("this schedule does not lead where it was recorded to lead"))
  }
}
