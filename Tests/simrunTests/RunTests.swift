import Foundation
import Testing

@Suite struct `Running scenarios` {
  @Test func `the same seed prints the same bytes in two processes`() async throws {
    let first = try await Tool.run(
      "scenarios/actors.json", "--filter", "p*", "--schedules", "200", "--seed", "7")
    let second = try await Tool.run(
      "scenarios/actors.json", "--filter", "p*", "--schedules", "200", "--seed", "7")
    #expect(first.output == second.output)
    #expect(first.output.hasPrefix("seed 7"))
  }

  @Test func `memory that is given away in another order changes nothing`() async throws {
    let arguments = [
      "scenarios/queues.json", "--filter", "locked-cache-anytime", "--verbose", "--schedules", "300",
    ]
    let first = try await Tool.run(arguments)
    // What is freed is not kept for the next who asks.
    let second = try await RunningTool(
      arguments, environment: ["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"]
    ).result()
    #expect(first.output == second.output)
    #expect(first.output.contains("behaviors"))
  }

  @Test func `another seed tries other schedules`() async throws {
    let first = try await Tool.run(
      "scenarios/callbacks.json", "--schedules", "50", "--seed", "1")
    let second = try await Tool.run(
      "scenarios/callbacks.json", "--schedules", "50", "--seed", "2")
    #expect(first.replayLines != second.replayLines)
  }

  @Test func `a flipped expectation exits with 1 and says which`() async throws {
    let scratch = try Scratch()
    // Away from its folder, where the files that it includes stand.
    let text = try String(contentsOf: Tool.packageFolder.appending(path: "scenarios.json"), encoding: .utf8)
      .replacing(/"include": \[[^\]]*\],/, with: "")
    let flipped = text.replacing(
      "\"naive\": [ \"nothing-after-dismissal\", \"no-orphaned-write\" ]", with: "\"naive\": \"holds\"")
    try #require(flipped != text)
    let file = try scratch.write(flipped, as: "flipped.json")
    let result = try await Tool.run(file, "--filter", "slow-dismiss*")
    #expect(result.status == 1)
    #expect(result.output.contains("not as expected: slow-dismiss-anytime"))
    #expect(result.output.contains("NOT EXPECTED: "))
  }

  @Test func `an invariant that is expected and not found is reported, and fails a strict run`() async throws
  {
    let result = try await Tool.run("--filter", "inbox-refresh-anytime", "--schedules", "1", "--strict")
    #expect(result.status == 1)
    #expect(result.words.contains("NO LONGER FOUND: "))
  }

  @Test func `a data race that a file expects is not missed by a build that does not look for it`()
    async throws
  {
    let result = try await Tool.run("--filter", "state-changes", "--strict")
    #expect(result.status == 0)
    #expect(result.words.contains("not looked for without the build flag: data-race"))
  }

  @Test func `every line fits 80 columns, but for the lines to paste`() async throws {
    let result = try await Tool.catalog.value
    let long = result.lines.filter { $0.utf8.count > 80 && $0.count > 80 && !$0.contains("    replay: ") }
    #expect(long == [])
  }

  @Test func `a reader that goes away ends the tool without a word`() async throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let binary = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    process.arguments = ["-c", "'\(binary.path)/simrun' schema | head -1"]
    process.currentDirectoryURL = Tool.packageFolder
    let scratch = try Scratch()
    process.standardOutput = try scratch.handle("output")
    process.standardError = try scratch.handle("errors")
    try await process.runToItsEnd()
    #expect(try scratch.text("output") == "{\n")
    #expect(try scratch.text("errors") == "")
  }

  @Test func `strict fails where something was never put to the test`() async throws {
    let scratch = try Scratch()
    let file = try scratch.write(
      #"""
      { "version": 1, "scenarios": [ {
        "name": "nobody-opens", "about": "Nothing happens.", "system": "slow-dismiss",
        "world": { "network": { "GET /profile": { "delay": "5s" } } },
        "script": [ { "do": "leave" } ], "check": [ "no-orphaned-write" ], "search": { "schedules": 5 },
        "expect": { "naive": "holds", "hardened": "holds" } } ] }
      """#, as: "vacuous.json")
    let lenient = try await Tool.run(file)
    #expect(lenient.status == 0)
    #expect(lenient.output.contains("not tested: network GET /profile was never called"))
    let strict = try await Tool.run(file, "--strict")
    #expect(strict.status == 1)
    #expect(strict.output.contains("not as expected: nobody-opens"))
  }
}
