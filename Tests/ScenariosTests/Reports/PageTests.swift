import Foundation
import Simulator
import SimulatorReports
import Testing

@testable import Scenarios

/// The page for a browser.
@Suite struct PageTests {
  private static let page = ReportFormat.html.render(SampleReport.real)

  private static func root() throws -> XMLTree.Element { try #require(XMLTree.root(of: page)) }

  /// What the page's script reads.
  static func details(of page: String) throws -> [String: Any] {
    let scripts = try #require(XMLTree.root(of: page)).all("script")
    let data = try #require(scripts.first { $0.attributes["id"] == "details" })
    return try #require(JSONSerialization.jsonObject(with: Data(data.text.utf8)) as? [String: Any])
  }

  private static func elements(_ kind: String, of root: XMLTree.Element) -> [XMLTree.Element] {
    let own = root.attributes["class"]?.split(separator: " ").contains(Substring(kind)) == true
    return (own ? [root] : []) + root.children.flatMap { elements(kind, of: $0) }
  }

  @Test func `needs no network and no other file`() throws {
    let withoutNames = Self.page.replacing("http://www.w3.org/2000/svg", with: "")
    for sign in ["http:", "https:", "url(", "@import", "src=", "<link", "import(", "fetch("] {
      let count = withoutNames.ranges(of: sign).count
      // Arrowheads are in the page.
      #expect(count == (sign == "url(" ? withoutNames.ranges(of: "'url(#' + tip.id").count : 0), "\(sign)")
    }
    #expect(Self.page.contains("default-src 'none'"))
  }

  @Test func `has every scenario and variant with its verdict`() throws {
    let root = try Self.root()
    #expect(root.all("h2").map(\.text) == ["slow", "anytime"])
    let variants = Self.elements("variant", of: root)
    #expect(variants.count == 4)
    #expect(
      variants.map { $0.attributes["data-mark"] } == ["unexpected", "outdated", "known", "holds"])
    #expect(Set(variants.compactMap { $0.attributes["id"] }).count == 4)
    #expect(Self.elements("glance", of: root)[0].all("a").count == 4)
  }

  @Test func `has the line that replays each violation, to copy`() throws {
    let shown = Self.elements("replay", of: try Self.root()).compactMap { $0.all("code").first?.text }
    let wanted = SampleReport.real.scenarios.flatMap(\.variants).flatMap(\.violations).map(\.replayCommand)
    #expect(!wanted.isEmpty)
    for line in wanted { #expect(shown.contains(line)) }
  }

  @Test func `draws each execution once, and each violation in it where it was noticed`() throws {
    let root = try Self.root()
    let violations = SampleReport.real.scenarios.flatMap(\.variants).flatMap(\.violations)
    #expect(root.all("figure").count == Set(violations.map(\.replayCommand)).count)
    #expect(Self.elements("vx", of: root).count == violations.count)
    #expect(Self.elements("finding", of: root).count == violations.count)
  }

  @Test func `shows the nearest passing run from the first difference on`() throws {
    let violations = SampleReport.real.scenarios[1].variants[0].violations
    try #require(violations[0].nearestPassing != nil)
    let figure = try #require(try Self.root().all("figure").last)
    let runs = Self.elements("run", of: figure)
    #expect(runs.count == 2)
    #expect(runs.map { Self.elements("df", of: $0).count } == [1, 1])
    #expect(Self.elements("df", of: runs[1]).first?.all("em").first?.text == "here instead")
    #expect(Self.elements("ok", of: runs[1]).count == 1)
  }

  @Test func `rows refer to lines of the program`() throws {
    let places = try #require(try Self.details(of: Self.page)["places"] as? [[Any]])
    #expect(places.contains { $0.count == 4 && ($0[1] as? String) == "NaiveProfile.swift" })
    let stacks = try #require(try Self.details(of: Self.page)["stacks"] as? [[Int]])
    #expect(stacks.allSatisfy { !$0.isEmpty && $0.allSatisfy(places.indices.contains) })
  }

  @Test func `a row's cause and its call stand above it`() throws {
    for run in Self.elements("run", of: try Self.root()) {
      var steps: [Int] = []
      for row in run.all("ol").flatMap({ $0.all("li") }) {
        let data = (row.attributes["data-r"] ?? "").split(separator: " ", omittingEmptySubsequences: false)
        if data.count > 2, let cause = Int(data[2]) {
          #expect(steps.contains(cause), "step \(cause) of \(row.text)")
        }
        if let step = data.first.flatMap({ Int($0) }) { steps.append(step) }
      }
    }
  }

  @Test func `is the same twice`() {
    #expect(ReportFormat.html.render(SampleReport.real) == Self.page)
  }

  @Test func `addresses of variants that have the same letters are told apart`() throws {
    var report = SampleReport.full(of: "a b")
    report.scenarios += SampleReport.full(of: "a-b").scenarios
    let root = try #require(XMLTree.root(of: ReportFormat.html.render(report)))
    #expect(Self.elements("variant", of: root).map { $0.attributes["id"] } == ["a-b.a-b", "a-b.a-b-2"])
  }
}
