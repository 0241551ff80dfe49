import Foundation
import Testing

@Suite struct `Filling expectations in` {
  private static let said = #"""
    "expect": { "naive": [ "nothing-after-dismissal", "no-orphaned-write" ], "hardened": "holds" }
    """#

  @Test func `what a new scenario shows is written, and then it runs as expected`() async throws {
    let scratch = try Scratch()
    let whole = `Reports to files`.scenario()
    let bare = whole.replacing(",\n    \(Self.said)", with: "").replacing(",\n  \(Self.said)", with: "")
    try #require(bare != whole)
    let file = try scratch.write(bare, as: "a.json")
    let run = try await Tool.run(file)
    #expect(run.status == 2)
    #expect(run.errors.contains("simrun expect --write"), "\(run.errors)")
    let looked = try await Tool.run("expect", file)
    #expect(looked.status == 0, "\(looked.errors)")
    #expect(looked.output.contains("leaving\n  naive violates "))
    #expect(try scratch.text("a.json") == bare)
    let written = try await Tool.run("expect", "--write", file)
    #expect(written.status == 0, "\(written.errors)")
    #expect(try scratch.names() == ["a.json"])
    let after = try scratch.text("a.json")
    #expect(after.contains("\"hardened\": \"holds\" }"))
    #expect(after.hasPrefix(bare.prefix(60)))
    let strict = try await Tool.run(file, "--strict")
    #expect(strict.status == 0, "\(strict.output)\(strict.errors)")
    let again = try await Tool.run("expect", "--write", file)
    #expect(again.output.contains("left as they are: 1 scenario"))
    #expect(try scratch.text("a.json") == after)
  }

  @Test(arguments: [">/dev/full", "| true"])
  func `the file is written also where nothing can be printed`(_ end: String) async throws {
    let scratch = try Scratch()
    let file = try scratch.write(`Reports to files`.scenario(naive: #""holds""#), as: "a.json")
    let lost = try await Tool.shell("\(Tool.path) expect --replace --write \(file) \(end); echo $?")
    #expect(end == "| true" || lost.output == "3\n")
    #expect(try scratch.text("a.json").contains(#""naive": [ "no"#))
    #expect(try await Tool.run(file, "--strict").status == 0)
  }

  @Test func `what an included file lacks is written there`() async throws {
    let scratch = try Scratch()
    let all = #"{ "version": 1, "include": [ "a.json" ] }"#
    let file = try scratch.write(all, as: "all.json")
    let whole = `Reports to files`.scenario()
    let lacking = whole.replacing(#", "hardened": "holds" }"#, with: " }")
    try #require(lacking != whole)
    _ = try scratch.write(lacking, as: "a.json")
    let result = try await Tool.run("expect", "--write", file, "--jobs", "1")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("written to \(scratch.path("a.json")): 1 expectation;"))
    #expect(try scratch.text("all.json") == all)
    #expect(try scratch.text("a.json") == whole)
  }

  @Test func `what a file says is replaced only where that is asked for`() async throws {
    let scratch = try Scratch()
    let wrong = `Reports to files`.scenario(naive: #""holds""#)
    let file = try scratch.write(wrong, as: "a.json")
    #expect(try await Tool.run("expect", "--write", file).status == 0)
    #expect(try scratch.text("a.json") == wrong)
    let looked = try await Tool.run("expect", "--replace", file)
    #expect(looked.output.contains("; the file says: holds"), "\(looked.output)")
    #expect(try scratch.text("a.json") == wrong)
    let replaced = try await Tool.run("expect", "--replace", "--write", file)
    #expect(replaced.status == 0, "\(replaced.errors)")
    #expect(try await Tool.run(file, "--strict").status == 0)
  }

  @Test func `a file that cannot be read or written stays as it is`() async throws {
    let scratch = try Scratch()
    let broken = try scratch.write("{ \"version\": 1, \"scenarios\": [", as: "broken.json")
    let result = try await Tool.run("expect", "--write", broken)
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("\(broken):1:"), "\(result.errors)")
    #expect(try scratch.text("broken.json") == "{ \"version\": 1, \"scenarios\": [")
    let missing = try await Tool.run("expect", "--write", scratch.path("missing.json"))
    #expect(missing.status == 2)
    #expect(missing.errors.contains("no such file"))
    let file = try scratch.write(`Reports to files`.scenario(naive: #""holds""#), as: "a.json")
    try FileManager.default.linkItem(atPath: file, toPath: scratch.path("b.json"))
    let linked = try await Tool.run("expect", "--replace", "--write", file)
    #expect(linked.status == 2)
    #expect(linked.errors.contains("it has 2 hard links"))
    let vain = try await Tool.run("expect", file, "--filter", "leavin")
    #expect(vain.status == 2)
    #expect(vain.errors.contains(#"did you mean "leaving"?"#), "\(vain.errors)")
  }
}
