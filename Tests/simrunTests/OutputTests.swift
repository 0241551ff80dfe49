import Foundation
import Testing

@Suite struct `Reports to files` {
  private static let formats = ["text", "json", "junit", "github", "html", "sarif", "summary"]

  @Test func `several at once, each to its file, and standard output besides`() async throws {
    let scratch = try Scratch()
    let outputs = Self.formats.flatMap { ["--output", "\($0)=\(scratch.path($0))"] }
    let result = try await Tool.run(["--filter", "slow-dismiss*", "--format", "json"] + outputs)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors == "")
    for format in Self.formats {
      let alone = try await Tool.run("--filter", "slow-dismiss*", "--format", format)
      #expect(try scratch.text(format) == alone.output)
    }
    #expect(try result.output == scratch.text("json"))
  }

  @Test func `a summary is added to what a file holds, and every other report takes its place`() async throws
  {
    let scratch = try Scratch()
    let alone = try await Tool.run("--filter", "slow-dismiss", "--format", "summary").output
    _ = try scratch.write("# Before", as: "summary")
    _ = try scratch.write("old", as: "json")
    for _ in 1...2 {
      let result = try await Tool.run(
        "--filter", "slow-dismiss", "--output", "summary=\(scratch.path("summary"))", "--output",
        "json=\(scratch.path("json"))")
      #expect(result.status == 0, "\(result.errors)")
    }
    #expect(try scratch.text("summary") == "# Before\n\(alone)\(alone)")
    #expect(try scratch.text("json").hasPrefix("{\n"))
    #expect(try scratch.names() == ["json", "summary"])
  }

  @Test func `a flipped expectation exits with 1, and every report says which`() async throws {
    let scratch = try Scratch()
    let text = try String(contentsOf: Tool.packageFolder.appending(path: "scenarios.json"), encoding: .utf8)
      .replacing(/"include": \[[^\]]*\],/, with: "")
    let known = "\"naive\": [ \"nothing-after-dismissal\", \"no-orphaned-write\" ]"
    let file = try scratch.write(text.replacing(known, with: "\"naive\": \"holds\""), as: "flipped.json")
    for (format, sign) in [
      ("text", "not as expected: slow-dismiss-anytime"),
      ("json", #""notAsExpected": ["slow-dismiss-anytime"]"#),
      ("junit", #"<failure message="not expected: nothing-after-dismissal, no-orphaned-write"#),
      ("github", "title=slow-dismiss-anytime · naive::"),
      ("sarif", #""level": "error""#),
    ] {
      let result = try await Tool.run(file, "--filter", "slow-dismiss*", "--format", format)
      #expect(result.status == 1)
      #expect(result.output.contains(sign))
    }
  }

  @Test func `a known violation that is gone is reported, and fails only a strict run`() async throws {
    let scratch = try Scratch()
    let file = try scratch.write(Self.scenario(hardened: #"[ "no-orphaned-write" ]"#), as: "gone.json")
    let lenient = try await Tool.run(file)
    #expect(lenient.status == 0)
    #expect(lenient.words.contains("; NO LONGER FOUND: no-orphaned-write"))
    #expect(
      lenient.output.hasSuffix(
        "\noutdated:\n  leaving\n1 scenario, 2 variants, 6 schedules: nothing unexpected, and 1 scenario outdated\n"
      ))
    #expect(lenient.output.contains("  ! hardened  holds in 5 schedules"))
    let strict = try await Tool.run(file, "--strict")
    #expect(strict.status == 1)
    #expect(strict.words.contains("; NO LONGER FOUND: no-orphaned-write"))
    #expect(strict.output.hasSuffix("not as expected: leaving\n"))
  }

  @Test func `a verdict too long for a line is said to be unexpected only where it is`() async throws {
    let result = try await Tool.run(
      "--schedules", "1", "--filter", "state-changes-anytime", "--filter", "log-out")
    #expect(result.status == 0, "\(result.output)")
    #expect(!result.output.contains("not as expected"), "\(result.output)")
    #expect(
      result.words.hasSuffix("5 schedules: nothing unexpected, and 1 scenario outdated"), "\(result.output)")
    #expect(result.lines.allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: ["missing/r.json", ".", "/proc/r.json"])
  func `a place that cannot be written is reported before anything runs`(path: String) async throws {
    let result = try await Tool.run("--filter", "slow-dismiss", "--output", "json=\(path)")
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("simrun: cannot write \(path): "))
  }

  @Test func `a report never takes the place of a scenario file`() async throws {
    let scratch = try Scratch()
    let file = try scratch.write(Self.scenario(), as: "a.json")
    try FileManager.default.createSymbolicLink(atPath: scratch.path("b"), withDestinationPath: "a.json")
    for path in [file, scratch.path("b")] {
      let result = try await Tool.run(file, "--output", "json=\(path)")
      #expect(result.status == 2)
      #expect(result.errors.contains("is a scenario file of this run"))
    }
    #expect(try scratch.text("a.json") == Self.scenario())
  }

  @Test func `a full disk is an error, and the terminal and the other files still get the report`()
    async throws
  {
    let scratch = try Scratch()
    let good = scratch.path("good.json")
    let result = try await Tool.run(
      "--filter", "slow-dismiss", "--output", "junit=/dev/full", "--output", "json=\(good)")
    #expect(result.status == 3)
    #expect(result.errors.contains("the junit report is lost: cannot write /dev/full: the disk is full"))
    #expect(result.output.hasSuffix("all as expected\n"))
    #expect(try scratch.text("good.json").hasSuffix("}\n"))
  }

  @Test func `a file that may not grow so large stays the old one`() async throws {
    let scratch = try Scratch()
    let path = try scratch.write("old", as: "r.json")
    let result = try await Tool.shell(
      "ulimit -f 4; exec \(Tool.path) --filter slow-dismiss --output json=\(path) | cat")
    #expect(result.errors.contains("cannot write \(path): it would be larger than this process may write"))
    #expect(result.output.hasSuffix("all as expected\n"))
    #expect(try scratch.text("r.json") == "old")
    #expect(try scratch.names() == ["r.json"])
  }

  @Test func `where standard output is full, the files are written all the same`() async throws {
    let scratch = try Scratch()
    let path = scratch.path("r.json")
    let result = try await Tool.shell(
      "\(Tool.path) --filter slow-dismiss --output json=\(path) >/dev/full; echo $?")
    #expect(result.output == "3\n")
    #expect(result.errors == "simrun: cannot write to standard output: No space left on device\n")
    #expect(try scratch.text("r.json").hasSuffix("}\n"))
    let alone = try await Tool.shell("\(Tool.path) --filter slow-dismiss >/dev/full; echo $?")
    #expect(alone.output == "3\n")
  }

  @Test func `where standard output is closed, the error names it`() async throws {
    let result = try await Tool.shell("\(Tool.path) schema report >&-; echo $?")
    #expect(result.output == "3\n")
    #expect(result.errors == "simrun: cannot write to standard output: Bad file descriptor\n")
  }

  @Test func `a reader that goes away ends the tool without a word, and the files are written`() async throws
  {
    let scratch = try Scratch()
    let path = scratch.path("r.json")
    let result = try await Tool.shell("\(Tool.path) --filter slow-dismiss --output json=\(path) | true")
    #expect(result.errors == "")
    #expect(try scratch.text("r.json").hasSuffix("}\n"))
  }

  @Test func `a file that is wrong is annotated where it is wrong`() async throws {
    let scratch = try Scratch()
    let text = Self.scenario().replacing("\"about\"", with: "\"abuot\"")
    let file = try scratch.write(text, as: "wrong.json")
    let result = try await Tool.run(file, "--format", "github")
    #expect(result.status == 2)
    #expect(result.output.hasPrefix("::error file=\(file),line=2,col="))
    #expect(result.output.contains("unknown key \"abuot\""))
    #expect(result.errors.contains("unknown key \"abuot\""))
    #expect(try await Tool.run(file).output == "")
  }

  @Test func `the schema of a report is printed`() async throws {
    let result = try await Tool.run("schema", "report")
    #expect(result.status == 0)
    #expect(result.output.contains("\"title\": \"Report\""))
  }

  @Test func `the schema of one system is printed, and for an unknown one three names`() async throws {
    let whole = try await Tool.run("schema")
    let result = try await Tool.run("schema", "sign-in")
    #expect(result.status == 0)
    #expect(result.output.contains("\"system: sign-in\""))
    #expect(result.lines.count * 10 < whole.lines.count)
    let unknown = try await Tool.run("schema", "sign-im")
    #expect(unknown.status == 2)
    #expect(
      unknown.errors.contains(#"unknown schema "sign-im"; did you mean "sign-in"?; allowed: "sign-in", "#)
        || unknown.errors.contains(#"did you mean "sign-in"? allowed: "sign-in", "#), "\(unknown.errors)")
    #expect(unknown.errors.contains(#/ and \d+ more\n/#))
  }

  @Test func `wall-clock times are shown only where they are asked for`() async throws {
    let plain = try await Tool.run("--filter", "slow-dismiss", "--format", "json")
    #expect(plain.errors == "")
    #expect(!plain.output.contains("milliseconds"))
    let timed = try await Tool.run("--filter", "slow-dismiss", "--format", "json", "--timings")
    #expect(timed.errors.contains("schedules/s"))
    #expect(timed.output.contains("milliseconds"))
    let text = try await Tool.run("--filter", "slow-dismiss", "--timings")
    #expect(try await text.output == Tool.run("--filter", "slow-dismiss").output)
  }

  /// The user leaves a slow profile; in 5 schedules.
  static func scenario(
    naive: String = #"[ "nothing-after-dismissal", "no-orphaned-write" ]"#,
    hardened: String = #""holds""#, schedules: Int = 5
  ) -> String {
    // It never writes once it is left, where it is to hold.
    let untested = hardened == #""holds""# ? #" "untested": { "hardened": [ "no-orphaned-write" ] },"# : ""
    return #"""
      { "version": 1, "scenarios": [ {
        "name": "leaving", "about": "The user leaves.", "system": "slow-dismiss",
        "world": { "network": { "GET /profile": { "delay": "5s" } } },
        "script": [ { "do": "open" }, { "do": "leave", "at": "2s" } ],
        "check": [ "nothing-after-dismissal", "no-orphaned-write" ],\#(untested)
        "search": { "schedules": \#(schedules) },
        "expect": { "naive": \#(naive), "hardened": \#(hardened) }
      } ] }

      """#
  }
}
