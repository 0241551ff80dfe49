import Testing

/// What differs between runs, and is one thing in a simulation.
@Suite struct `The world of a simulated test` {
  @Test func `has sets in an order that a seed decides, and the token names the seed`() throws {
    let orders = [0, 1, 2].map { seed in
      Fixtures.world("takesTheFirstOfASet", environment: ["SIMULATOR_HASH_SEED": "\(seed)"])
    }
    #expect(Recorded.all(of: "takesTheFirstOfASet()", in: orders[0]).isEmpty)
    for (seed, output) in orders.enumerated().dropFirst() {
      let issue = try #require(Recorded.all(of: "takesTheFirstOfASet()", in: output).first, "\(output)")
      #expect(issue.text.contains("replaying: \"debug-hash\(seed)/"))
    }
  }

  @Test(arguments: ["-1", "4294967296"])
  func `does not begin with a seed that is none`(seed: String) throws {
    let output = Fixtures.world("expectsThatTimePasses", environment: ["SIMULATOR_HASH_SEED": seed])
    #expect(output.contains("set it to a whole number from 0 to 4294967295"), "\(output)")
  }

  /// A clock stands still at an instant of virtual time.
  @Test(arguments: ["trapsWhereNoTimePasses", "expectsThatTimePasses"])
  func `has no failure that only a clock makes which stands still`(name: String) throws {
    let output = Fixtures.world(name)
    #expect(output.contains("Test \(name)() passed"), "\(output)")
  }
}
