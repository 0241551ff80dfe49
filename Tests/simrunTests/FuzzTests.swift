import Foundation
import TestEffort
import Testing

@Suite struct `Making stories up` {
  @Test func `what is meant to break breaks, what is meant to hold holds, and each finding is replayed`()
    async throws
  {
    let result = try await Tool.run("fuzz", "cached-store", "--schedules", "400")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.words.contains("naive violates cache-matches-disk"))
    #expect(result.words.contains("published violates right-when-alone"))
    #expect(
      result.words.contains(
        "every story on offer of at most 2 actions, 1 other answer of the world and 1 deviation explored"))
    #expect(result.replayLines.count == 3)
    for line in result.replayLines {
      #expect(line[1] == "fuzz")
      let replayed = try await Tool.run(line)
      #expect(replayed.status == 0, "\(replayed.output)\(replayed.errors)")
      let broken = line.contains("naive") ? ["cache-matches-disk", "latest-wins"] : ["right-when-alone"]
      #expect(broken.contains { replayed.output.contains($0) })
    }
  }

  @Test func `what the user does is told in words, and nothing that the finding does not need`() async throws
  {
    let result = try await Tool.run(
      "fuzz", "cached-store", "--variant", "naive", "--bound", "none", "--format", "json")
    #expect(result.output.contains("the user does something: save "), "\(result.output)")
    // Once among the deviations, and once in the text: one save breaks one invariant, and two break another.
    #expect(result.output.ranges(of: "the user does something: ").count == 2 * (1 + 2))
  }

  @Test func `the same bytes come from one process and from two`() async throws {
    let one = try await Tool.run("fuzz", "sign-in", "--schedules", "300", "--jobs", "1")
    let two = try await Tool.run("fuzz", "sign-in", "--schedules", "300", "--jobs", "2")
    #expect(one.output == two.output)
    #expect(one.status == 0)
  }

  @Test(arguments: ["inbox-refresh", "two-requests-race"])
  func `what was tried and what never is told by its name, the same for any number of processes`(
    system: String
  )
    async throws
  {
    let options = ["fuzz", system, "--schedules", "300", "--bound", "none", "--format", "json"]
    let one = try await Tool.run(options + ["--jobs", "1"])
    let three = try await Tool.run(options + ["--jobs", "3"])
    #expect(one.output == three.output)
    #expect(one.output.contains("\"kind\": \"overlaps\""))
    let few = try await Tool.run("fuzz", system, "--schedules", "1", "--actions", "1", "--bound", "none")
    #expect(few.words.contains("tried: 0 of "), "\(few.words)")
    #expect(few.words.contains("never tried: "), "\(few.words)")
    #expect(few.words.contains("refresh with refresh") == (system == "inbox-refresh"))
  }

  @Test func `one variant is played alone`() async throws {
    let result = try await Tool.run("fuzz", "sign-in", "--variant", "naive", "--schedules", "100")
    #expect(result.words.contains("1 scenario, 1 variant"))
  }

  @Test func `scenarios are chosen by their names or by those of their systems`() async throws {
    let options = ["--variant", "hardened", "--schedules", "10", "--bound", "1,0,0", "--format", "json"]
    func names(_ filters: String...) async throws -> [String] {
      let result = try await Tool.run(["fuzz"] + filters.flatMap { ["--filter", $0] } + options)
      #expect(result.status == 0, "\(result.errors)")
      return result.output.matches(of: /"name": "([a-z-]+\.[a-z0-9-]+)"/).map { String($0.output.1) }
    }
    #expect(try await names("sign-in") == ["sign-in.all-stories-1", "sign-in.stories-6"])
    #expect(try await names("sign-*.stories-*") == ["sign-in.stories-6"])
    #expect(
      try await names("sign-in.all*", "slow-dismiss.stories-6").sorted()
        == ["sign-in.all-stories-1", "slow-dismiss.stories-6"])
    let vain = try await Tool.run("fuzz", "--filter", "sign-in", "--filter", "sign-im")
    #expect(vain.status == 2)
    #expect(
      vain.errors.contains(#"no scenario matches "sign-im"; did you mean "sign-in"?"#), "\(vain.errors)")
  }

  @Test func `a finding is a result of SARIF and a row of the summary, and stands in no file`() async throws {
    let scratch = try Scratch()
    let result = try await Tool.run(
      "fuzz", "cached-store", "--variant", "naive", "--schedules", "200", "--bound", "none",
      "--output", "sarif=\(scratch.path("a.sarif"))", "--output", "summary=\(scratch.path("a.md"))")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let line = try #require(result.replayLines.first).joined(separator: " ")
    let sarif = try scratch.text("a.sarif")
    #expect(sarif.contains(#""ruleId": "cache-matches-disk""#))
    #expect(sarif.contains(#""level": "note""#))
    #expect(sarif.contains(line), "\(sarif)")
    #expect(sarif.contains(#""uri": "Sources/Catalog/CachedStore/"#), "\(sarif)")
    #expect(!sarif.contains(#""uri": "fuzz""#))
    let summary = try scratch.text("a.md")
    #expect(summary.contains("| ⊗ | cached-store.stories-6 | naive |"), "\(summary)")
  }

  @Test func `what is no finding and fails the run is told by SARIF and by the summary`() async throws {
    let scratch = try Scratch()
    let result = try await Tool.run(
      "fuzz", "sign-in", "--variant", "naive", "--schedules", "1", "--bound", "none",
      "--output", "sarif=\(scratch.path("a.sarif"))", "--output", "summary=\(scratch.path("a.md"))")
    #expect(result.status == 1)
    let sarif = try scratch.text("a.sarif")
    #expect(sarif.contains(#""results": []"#))
    #expect(
      sarif.contains("sign-in.stories-6 · naive: NOT FOUND, THOUGH IT IS MEANT TO BREAK: raise --schedules"),
      "\(sarif)")
    let summary = try scratch.text("a.md")
    #expect(summary.contains("### Not as expected"))
    #expect(
      summary.contains(
        "| sign-in.stories-6 | naive | NOT FOUND, THOUGH IT IS MEANT TO BREAK&#58; raise --schedules |"),
      "\(summary)")
  }

  @Test(arguments: ["write-after-fetch", "same-thing-at-once", "screen-lifetimes"])
  func
    `nothing is blamed for what no story within the bound meets, nor for what a variant rightly never does`(
      system: String
    ) async throws
  {
    let result = try await Tool.run("fuzz", system, "--strict", "--schedules", tries("800", all: "3000"))
    #expect(result.status == 0, "\(result.output)")
    #expect(result.words.contains("beyond this bound: ") == (system != "write-after-fetch"))
    #expect(!result.words.contains("not tested: "))
  }

  @Test func `a variant that is meant to break and does not fails the run`() async throws {
    let result = try await Tool.run(
      "fuzz", "sign-in", "--variant", "naive", "--schedules", "1", "--bound", "none")
    #expect(result.status == 1)
    #expect(result.words.contains("NOT FOUND, THOUGH IT IS MEANT TO BREAK: raise --schedules"))
  }

  @Test(arguments: [
    (["inbox"], "unknown system \"inbox\""),
    (["sign-in", "--variant", "nave"], "unknown variant \"nave\"; did you mean \"naive\"?"),
    (["--bound", "2,1"], "--bound: found \"2,1\"; allowed: "),
    (["--bound", "0,1,1"], "--bound: found \"0,1,1\"; allowed: "),
    (["--bound", "2,1,17"], "--bound: found \"17\"; allowed: a whole number from 0 to 16"),
    (["--actions", "17"], "--actions: found \"17\"; allowed: a whole number from 1 to 16"),
    (["--record"], "--record needs a value"),
    (["--record", "Package.swift"], "Package.swift: is there already"),
    (["--record", "/nowhere/a.json"], "/nowhere/a.json"),
    (["--record", "a.json", "--shards", "2"], "--record does not go with --shards"),
  ])
  func `what is wrong on the command line is told with its cure`(arguments: [String], sentence: String)
    async throws
  {
    let result = try await Tool.run(["fuzz"] + arguments)
    #expect(result.status == 2)
    #expect(result.errors.contains(sentence), "\(result.errors)")
  }

  @Test func `a made-up scenario that does not exist is named with those that do`() async throws {
    let result = try await Tool.run("replay", "fuzz", "sign-in.stories-99", "naive", "debug/#0")
    #expect(result.status == 2)
    #expect(result.errors.contains("unknown scenario \"sign-in.stories-99\""), "\(result.errors)")
  }
}
