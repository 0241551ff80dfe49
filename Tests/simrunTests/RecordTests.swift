import Foundation
import Testing

@Suite struct `Recording schedules` {
  @Test func `a newly found schedule is added once, and then runs first`() async throws {
    let scratch = try Scratch()
    let before = `Reports to files`.scenario()
    let file = try scratch.write(before, as: "a.json")
    let first = try await Tool.run("run", "--record", file)
    #expect(first.status == 0)
    #expect(first.output.contains("\nrecorded in \(file): leaving naive "))
    let after = try scratch.text("a.json")
    let token = try #require(first.replayLines.first?.last)
    #expect(
      after
        == before.replacing(
          "\"hardened\": \"holds\" }",
          with: "\"hardened\": \"holds\" },\n  \"replays\": { \"naive\": [ \"\(token)\" ] }"))
    let second = try await Tool.run("run", "--record", file)
    #expect(!second.output.contains("recorded in"))
    #expect(try scratch.text("a.json") == after)
    #expect(try await Tool.run(file, "--strict").status == 0)
  }

  @Test func `a violation that is not expected is recorded, and still fails`() async throws {
    let scratch = try Scratch()
    let file = try scratch.write(`Reports to files`.scenario(naive: "\"holds\""), as: "a.json")
    #expect(try await Tool.run("--record", file).status == 1)
    #expect(try scratch.text("a.json").contains("\"replays\": { \"naive\": [ \""))
    let again = try await Tool.run(file, "--schedules", "1")
    #expect(again.status == 1)
    #expect(again.output.contains("NOT EXPECTED: "))
  }

  @Test func `schedules go to the file in which their scenario stands`() async throws {
    let scratch = try Scratch()
    let all = #"{ "version": 1, "include": [ "more/a.json" ] }"#
    let file = try scratch.write(all, as: "all.json")
    try FileManager.default.createDirectory(
      atPath: scratch.path("more"), withIntermediateDirectories: false)
    _ = try scratch.write(`Reports to files`.scenario(), as: "more/a.json")
    let result = try await Tool.run("--record", file, "--format", "json")
    #expect(result.status == 0)
    #expect(result.output.contains("\"recorded\": [\n"))
    #expect(try scratch.text("all.json") == all)
    #expect(try scratch.text("more/a.json").contains("\"replays\""))
  }

  @Test func `a file that changes under the run is left alone`() async throws {
    let scratch = try Scratch()
    let file = try scratch.write(`Reports to files`.scenario(schedules: 50_000), as: "a.json")
    let changed = `Reports to files`.scenario(schedules: 3)
    // The search of the hardened variant takes a second or more.
    let (hasBegun, result) = try await RunningTool.run(
      ["--jobs", "1", "--record", file, "--output", "text=\(scratch.path("report"))"]
    ) { running in
      let hasBegun = !running.workers(1).isEmpty
      _ = try scratch.write(changed, as: "a.json")
      return hasBegun
    }
    try #require(hasBegun)
    #expect(result.status == 3)
    #expect(try scratch.text("a.json") == changed)
    #expect(try scratch.text("report").contains("violates "))
  }
}
