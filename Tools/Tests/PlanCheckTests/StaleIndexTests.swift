import Foundation
import Testing

@testable import PlanCheck

struct StaleIndexTests {
  private static let fine = [
    "Low/Stone.swift": "struct Stone {}", "Middle/Wall.swift": "struct Wall {}",
    "High/Roof.swift": "struct Roof {}",
  ]

  @Test func `a file that changed after it was indexed is refused until it is compiled again`() throws {
    let planted = try Planted(Self.fine)
    #expect(try planted.findings() == [])
    try planted.write("struct Stone { var roof: Roof? }", to: "Low/Stone.swift")
    let refusal = #expect(throws: Refusal.self) { try planted.findings() }
    #expect(
      refusal?.description.contains("Sources/House/Low/Stone.swift: changed after it was indexed") == true)
    try planted.compile()
    #expect(try planted.findings().count == 1)
  }

  @Test func `a file that the index does not know is refused`() throws {
    let planted = try Planted(Self.fine)
    try planted.write("func f(_ roof: Roof) {}", to: "Low/New.swift")
    let refusal = #expect(throws: Refusal.self) { try planted.findings() }
    #expect(refusal?.description.contains("Sources/House/Low/New.swift: the index does not know") == true)
  }

  @Test func `a file that moved to another room is refused until it is compiled again`() throws {
    let planted = try Planted(Self.fine)
    try FileManager.default.moveItem(at: planted.file("High/Roof.swift"), to: planted.file("Low/Roof.swift"))
    #expect(throws: Refusal.self) { try planted.findings() }
  }

  @Test func `what was compiled from a file that is gone counts no more`() throws {
    var files = Self.fine
    files["Low/Gone.swift"] = "func f(_ roof: Roof) {}"
    let planted = try Planted(files)
    #expect(try planted.findings().count == 1)
    try FileManager.default.removeItem(at: planted.file("Low/Gone.swift"))
    #expect(try planted.findings() == [])
  }

  @Test func `an index that does not exist is refused`() throws {
    let planted = try Planted(Self.fine)
    try FileManager.default.removeItem(at: planted.folder.appending(path: "index"))
    #expect(throws: Refusal.self) { try planted.findings() }
  }

  @Test func `a folder that the plan does not name and a name without a folder are findings`() throws {
    var files = Self.fine
    files["Cellar/Dark.swift"] = "struct Dark {}"
    let planted = try Planted(files)
    #expect(try planted.findings() == ["Sources/House/Cellar: the plan does not name this folder"])
    let plan = Planted.plan.replacing("    Middle/", with: "    Cellar/\n    Garden/\n    Middle/")
    #expect(
      try planted.findings(plan: plan) == [
        "Sources/House/Garden: the plan names it, but no source file is there"
      ])
  }
}
