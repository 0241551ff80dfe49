import Testing

@testable import Scenarios

@Suite struct GitHubTextTests {
  private let lines = ReportFormat.github.render(SampleReport.real).split(separator: "\n").map(String.init)

  @Test func `what fails the run is an error on the scenario's line`() {
    #expect(lines[0].hasPrefix("::error file=t.json,line=2,title=slow · naive::✗ slow · naive: violates"))
    #expect(lines[0].contains("%0Areplay: swift run"))
    #expect(
      lines[0].contains("%0Awhat to do: mend what it shows; or, where that is known and stays, name it"))
    #expect(lines[0].contains("%0Aseed 0, strategy portfolio"))
  }

  @Test func `what is no longer found is a warning`() {
    #expect(
      lines.contains(
        "::warning file=t.json,line=2,title=slow · hardened::NO LONGER FOUND: no-orphaned-write%0Awhat to do: "
          + "where it was mended, let \"expect\" of the scenario say so; else let it search more schedules"))
  }

  @Test func `the last line is the verdict`() {
    #expect(lines.last?.hasSuffix("not as expected: slow") == true)
    #expect(lines.dropLast().allSatisfy { $0.hasPrefix("::error ") || $0.hasPrefix("::warning ") })
  }

  @Test func `messages and properties are escaped as a runner undoes it`() {
    #expect(GitHubText.escapedData("50 %\r\n::a,b") == "50 %25%0D%0A::a,b")
    #expect(GitHubText.escapedProperty("50 %: a,b") == "50 %25%3A a%2Cb")
    #expect(GitHubText.escapedProperty(",\u{301}") == "%2C\u{301}")
  }
}
