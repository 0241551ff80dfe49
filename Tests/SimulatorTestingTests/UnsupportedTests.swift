import Testing

/// What becomes of a simulated test where nothing can be simulated, seen from outside.
@Suite struct `Where nothing can be simulated` {
  private static let skipping = Fixtures.elsewhere(isRequired: false)
  private static let failing = Fixtures.elsewhere(isRequired: true)
  private static let reason = "not simulated: the simulator was not linked as a whole"

  @Test(arguments: ["once()", "replayed()"])
  func `a test is skipped, with the reason, and its body does not run`(_ name: String) {
    let output = Self.skipping.testing
    let line = output.split(separator: "\n").first { $0.contains("Test \(name) was cancelled") }
    #expect(line?.contains(Self.reason) == true, "\(output)")
    #expect(line?.contains("SIMULATOR_REQUIRED=1") == true)
    #expect(!output.contains("the body has run"))
    #expect(output.contains("an ordinary test has run"))
    #expect(Recorded.all(of: name, in: output).isEmpty)
  }

  @Test func `a test with arguments is skipped once, and a warning has the reason`() {
    let output = Self.skipping.testing
    #expect(output.contains("Test twice(_:) with 0 test cases passed"), "\(output)")
    let issues = Recorded.all(of: "twice(_:)", in: output)
    #expect(issues.count == 1)
    #expect(issues.first?.headline.contains("recorded a warning") == true)
    #expect(issues.first?.text.contains(Self.reason) == true)
  }

  @Test(arguments: ["once()", "twice(_:)", "replayed()"])
  func `a test fails where it must be simulated`(_ name: String) {
    let output = Self.failing.testing
    #expect(output.contains("Test \(name) recorded an issue"), "\(output)")
    #expect(output.contains(Self.reason))
    #expect(!output.contains("the body has run"))
  }

  @Test(arguments: ["testSearch", "testReplay"])
  func `a method of XCTest is skipped, and the others run`(_ name: String) {
    let output = Self.skipping.xctest
    #expect(output.contains("Test Case 'ElsewhereTestCase.\(name)' skipped"), "\(output)")
    #expect(output.contains(Self.reason))
    #expect(!output.contains("the body has run"))
    #expect(output.contains("an ordinary test has run"))
  }

  @Test(arguments: ["testSearch", "testReplay"])
  func `a method of XCTest fails where it must be simulated, and the others run`(_ name: String) {
    let output = Self.failing.xctest
    #expect(output.contains("Test Case 'ElsewhereTestCase.\(name)' failed"), "\(output)")
    #expect(output.contains(Self.reason))
    #expect(output.contains("an ordinary test has run"))
  }
}
