import Foundation
import Testing

@testable import PlanCheck

/// The tree that PLAN.md draws.
struct TreeTests {
  private func findings(_ files: [String], drawn: String) throws -> [String] {
    let planted = try Planted(Dictionary(uniqueKeysWithValues: files.map { ($0, "") }))
    return try TreeCheck(
      sources: Sources(package: planted.folder.path),
      plan: "```\nSources/\n\(drawn)\nTests/        not of interest\n```"
    ).outcome().findings.map(\.message)
  }

  @Test func `a tree with every folder has no finding`() throws {
    let drawn =
      "  House/     a module\n    High/    a folder\n               with a long line\n    Low/     another"
    #expect(try findings(["High/A.swift", "High/Deeper/B.swift", "Low/C.swift"], drawn: drawn) == [])
    #expect(try findings(["A.swift", "High/B.swift"], drawn: "  House/     not divided") == [])
  }

  @Test func `a folder that is not drawn, or not there, is a finding`() throws {
    let drawn = "  House/     a module\n    High/    a folder\n    Gone/    another\n  Lost/      a module"
    #expect(
      try findings(["High/A.swift", "New/B.swift"], drawn: drawn) == [
        "PLAN.md draws Sources/House/Gone, which is not there",
        "PLAN.md draws Sources/Lost, which is not there",
        "Sources/House/New is not drawn in PLAN.md",
      ])
    #expect(
      try findings(["A.swift"], drawn: "  Other/     a module") == [
        "PLAN.md draws Sources/Other, which is not there",
        "Sources/House is not drawn in PLAN.md",
      ])
  }

  @Test func `a page without a tree is refused`() throws {
    let planted = try Planted(["A.swift": ""])
    #expect(throws: Refusal.self) {
      try TreeCheck(sources: Sources(package: planted.folder.path), plan: "# A page\n")
    }
  }
}
