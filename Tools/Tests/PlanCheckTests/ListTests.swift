import Foundation
import Testing

@testable import PlanCheck

/// The checks that compare the sources with a list in PLAN.md.
struct ListTests {
  private func package(_ files: [String: String]) throws -> Planted { try Planted(files) }

  private static let long = "func f() {\n" + String(repeating: "  g()\n", count: 40) + "}\n"

  private func sizes(_ planted: borrowing Planted, _ list: String) throws -> [String] {
    try SizeCheck(sources: Sources(package: planted.folder.path), plan: "# Sizes\n\(list)\n# Next\n")
      .outcome().findings.map(\.message)
  }

  @Test func `a long file and a long function are findings`() throws {
    let planted = try package([
      "A.swift": String(repeating: "// Line.\n", count: 301), "B.swift": Self.long,
      "C.c": Self.long.replacing("func", with: "int"),
      "Fine.swift": String(repeating: "// Line.\n", count: 300),
    ])
    #expect(
      try sizes(planted, "") == [
        "Sources/House/A.swift: 301 lines", "Sources/House/B.swift:1: f has 42 lines",
        "Sources/House/C.c:1: f has 42 lines",
      ])
  }

  @Test func `an exception needs a reason and an excess`() throws {
    let planted = try package(["B.swift": Self.long])
    #expect(try sizes(planted, "- `Sources/House/B.swift`, `f`: it is a table.") == [])
    #expect(
      try sizes(planted, "- `Sources/House/B.swift`, `f`") == [
        "PLAN.md:2: the exception for f has no reason"
      ])
    #expect(
      try sizes(planted, "- `Sources/House/B.swift`: it is a table.") == [
        "Sources/House/B.swift:1: f has 42 lines",
        "PLAN.md:2: the exception for House/B.swift is not needed",
      ])
  }

  @Test func `there are at most five exceptions`() throws {
    let files = Dictionary(uniqueKeysWithValues: (1...6).map { ("\($0).swift", Self.long) })
    let list = (1...6).map { "- `Sources/House/\($0).swift`, `f`: it is a table." }.joined(separator: "\n")
    #expect(try sizes(package(files), list) == ["PLAN.md: 6 exceptions, at most 5 are allowed"])
  }

  @Test func `a replaced word is a finding in an identifier of the engine, and nowhere else`() throws {
    let planted = try package([
      "A.swift": "// The baton.\nlet heirOfIt = \"baton\"\nlet their = 1\n",
      "Other/A.swift": "let heir = 1\n",
      "Engine/b.c": "int own_baton;\nint batonic;\n",
    ])
    let check = try WordCheck(
      sources: Sources(package: planted.folder.path),
      plan: "# Words\n- `baton`: driver\n- `heir`: next driver\n",
      rooms: ["House/A", "House/Engine/"])
    #expect(
      try check.outcome().findings.map(\.message) == [
        "Sources/House/A.swift:2: heirOfIt: say next driver, not heir",
        "Sources/House/Engine/b.c:1: own_baton: say driver, not baton",
      ])
  }

  @Test func `a document without the section is refused`() throws {
    let planted = try package(["A.swift": ""])
    #expect(throws: Refusal.self) {
      try SizeCheck(sources: Sources(package: planted.folder.path), plan: "# Other\n")
    }
  }

  private func unsafeCode(_ planted: borrowing Planted, _ list: String) throws -> [String] {
    try UnsafeCheck(
      sources: Sources(package: planted.folder.path), plan: "# Unsafe code\n\(list)"
    ).outcome().findings.map(\.message)
  }

  @Test(
    arguments: [
      "let a = unsafe b", "final class A: @unchecked Sendable {}", "@safe struct A {}",
      "nonisolated(unsafe) var a = 1",
      "let a: UnsafeRawPointer? = nil", "let a = \"\\(unsafe b)\"", "let a = unsafeBitCast(1, to: UInt.self)",
    ])
  func `unsafe code is found outside the folders that are listed`(text: String) throws {
    let planted = try package([
      "Low/A.swift": text, "High/B.swift": text, "Fine.swift": "// unsafe\nlet a = \"unsafe\"",
    ])
    let findings = try unsafeCode(planted, "- `Sources/House/High`: it must.")
    #expect(findings.count == 1)
    #expect(findings.first?.hasPrefix("Sources/House/Low/A.swift:1:") == true)
  }

  @Test func `C is unsafe and a folder without unsafe code is not listed`() throws {
    let planted = try package(["Low/a.c": "", "High/B.swift": ""])
    #expect(
      try unsafeCode(planted, "- `Sources/House/High`: it must.") == [
        "Sources/House/Low/a.c:1:1: C, but PLAN.md does not list its folder",
        "PLAN.md:2: House/High has no unsafe code",
      ])
  }
}
