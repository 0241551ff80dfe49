import Foundation
import Testing

@testable import PlanCheck

struct ReferenceTests {
  private func findings(_ files: [String: String]) throws -> [String] {
    let planted = try Planted(files)
    _ = try Command.run("git", "init", "--quiet", planted.folder.path)
    _ = try Command.run("git", "-C", planted.folder.path, "add", ".")
    return try ReferenceCheck(package: planted.folder.path).outcome().findings.map(\.message)
  }

  @Test func `a link that leads nowhere is found with its file and line`() throws {
    let findings = try findings([
      "docs/a.md":
        "[this](b.md) [web](https://example.com/x.html) [here](#part)\n[up](../A.swift#part) [folder](..)\n",
      "docs/b.md": "\n[gone](c.txt) and ![a picture](../gone.png)\n```\n[shown](only.txt)\n```\n",
      "A.swift": "",
    ])
    #expect(
      findings == [
        "Sources/House/docs/b.md:2: links to c.txt, which is not in the repository",
        "Sources/House/docs/b.md:2: links to ../gone.png, which is not in the repository",
      ])
  }

  @Test func `a file that a comment or a document names must be there`() throws {
    let findings = try findings([
      "A.swift": "// See B.swift and GONE.md.\nlet a = \"C.swift\"  // `D.swift:1: a message`\n",
      "B.swift": "", "c.c": "#include <string.h>\n/* See\n Low/B.swift */\n",
      "a.md": "`House/B.swift`, `E.swift`, `Sources/House`, `Sources/Home/` and `Tests/None`\n",
    ])
    #expect(
      findings.sorted() == [
        "Sources/House/A.swift:1: names GONE.md, which is not in the repository",
        "Sources/House/a.md:1: names E.swift, which is not in the repository",
        "Sources/House/a.md:1: names Sources/Home/, which is not in the repository",
        "Sources/House/a.md:1: names Tests/None, which is not in the repository",
        "Sources/House/c.c:3: names Low/B.swift, which is not in the repository",
      ])
  }
}
