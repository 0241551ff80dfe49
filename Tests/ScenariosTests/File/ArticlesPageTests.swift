import Catalog
import Foundation
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// `Documentation/ARTICLES.md`, which says of each piece of advice what scenario files say of its variant.
@Suite struct `The page on articles` {
  /// A row of one of its tables.
  struct Row: CustomTestStringConvertible, Sendable {
    let scenario: String
    let folder: String
    let variant: String
    let verdict: String

    /// Nil for a line that is no row, or names nothing that can be run.
    init?(_ line: Substring) {
      let cells = line.split(separator: " | ").map(String.init)
      guard cells.count == 4, let place = cells[1].wholeMatch(of: #/\[`(.+)`\]\(\.\./(.+)\) (.+)/#) else {
        return nil
      }
      (scenario, folder, variant) = (String(place.1), String(place.2), String(place.3))
      verdict = cells[2]
    }

    var testDescription: String { "\(scenario) \(variant)" }
  }

  private static let lines: [Substring] = {
    let page = Catalogued.repository.appending(path: "Documentation/ARTICLES.md")
    return (try? String(contentsOf: page, encoding: .utf8))?.split(separator: "\n") ?? []
  }()

  static let rows = lines.compactMap(Row.init)

  @Test func `names something that can be run in every row`() {
    let all = Self.lines.filter {
      $0.hasPrefix("| ") && !$0.hasPrefix("| the advice |") && !$0.hasPrefix("| --- |")
    }
    #expect(all.count == Self.rows.count)
    #expect(all.count >= 40)
  }

  @Test(arguments: rows)
  func `says what the scenario files say`(row: Row) throws {
    let scenario = try #require(Catalogued.scenarios.first { $0.name == row.scenario })
    let expectation = try #require(scenario.expectation(of: row.variant))
    let lesson = try #require(scenario.type.descriptor.lesson)
    #expect(URL(filePath: lesson.file).deletingLastPathComponent().path().hasSuffix("/\(row.folder)/"))
    switch expectation.outcome {
    case .violates(let names):
      #expect(row.verdict == "breaks " + names.map { "`\($0)`" }.joined(separator: ", "))
    case .testsNothing: #expect(row.verdict == "tests nothing")
    case .holds:
      let bound = scenario.search.exhaustDeviations.map {
        " with at most \($0) deviation\($0 == 1 ? "" : "s")"
      }
      #expect(row.verdict == "holds" + (bound ?? ""))
    }
  }
}
