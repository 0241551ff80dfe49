import Testing

@testable import Scenarios

@Suite struct SummaryTests {
  private let text = ReportFormat.summary.render(SampleReport.real)

  @Test func `what was not expected stands first, with the line that replays it`() throws {
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows[0] == "| scenario | variant | what | replay |")
    #expect(rows[2].hasPrefix("| slow | naive | Outlived its owner"))
    #expect(rows[2].contains("<code>swift run simrun replay t.json slow naive debug&#47;"))
    #expect(text.contains("2 scenarios, 4 variants"))
  }

  @Test func `what is as expected is folded`() throws {
    let (head, rest) = try #require(
      text.firstRange(of: "<details>").map { (text[..<$0.lowerBound], text[$0.lowerBound...]) })
    #expect(!head.contains("anytime"))
    #expect(rest.contains("| ✓ | anytime | hardened | holds in"))
    #expect(rest.contains("| ⊗ | anytime | naive | violates "))
    #expect(rest.contains("| ✗ | slow | naive | violates "))
    #expect(rest.split(separator: "<details>").count == 2)
  }

  @Test(
    arguments: HostileTextTests.texts + [
      "`x`", "[a](b)", "@all", "a|b", "</pre>", "<!--", "*x*\n\n# y", "https://x.y",
    ])
  func `nothing from outside is markup`(text: String) {
    let plain = ReportFormat.summary.render(SampleReport.full(of: "plain"))
    let shape = { (text: String) in
      String(
        String.UnicodeScalarView(text.unicodeScalars.filter { "<>|#`[]*@_\\".unicodeScalars.contains($0) }))
    }
    let hostile = ReportFormat.summary.render(SampleReport.full(of: text))
    // What the report says itself has none of these but in its own markup, and numbers behind "&#".
    #expect(shape(hostile.replacing("&#", with: "")) == shape(plain.replacing("&#", with: "")))
    #expect(!hostile.contains("://"))
  }
}
