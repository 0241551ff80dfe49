import Foundation
import TestEffort
import Testing

/// What a program keeps from one execution to the next, and what becomes of verdicts about it.
@Suite struct `State that outlives an execution` {
  private static let file = "Tests/CrashingTool/shared.json"

  private static func run(_ arguments: [String]) async throws -> Tool.Result {
    try await ToolSlots.shared.occupied {
      try await RunningTool(arguments, tool: "CrashingTool").result()
    }
  }

  private static func play(_ scenario: String, _ arguments: String...) async throws -> Tool.Result {
    try await run([file, "--filter", scenario] + arguments)
  }

  @Test(arguments: ["static-counter", "static-counter-everywhere", "once"])
  func `does not hide a race that only a fresh process has`(_ scenario: String) async throws {
    let result = try await Self.play(scenario)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("⊗ naive     violates screen-matches-disk"))
    #expect(result.output.contains("each in a fresh process"))
    #expect(!result.output.contains("nondeterminism"))
  }

  @Test(arguments: ["static-counter", "once"])
  func `is new in a replay, which reproduces the race`(_ scenario: String) async throws {
    let line = try #require(try await Self.play(scenario).replayLines.first)
    let replay = try await Self.run(line)
    #expect(replay.status == 0, "\(replay.output)\(replay.errors)")
    #expect(replay.output.contains("\(scenario) · naive, in a fresh process"))
    #expect(replay.output.contains("\nreproduced: "))
  }

  @Test func `makes no violation that is called reproduced where no fresh process shows it`() async throws {
    let result = try await Self.play("kept")
    let words = result.words
    #expect(words.contains("not in a fresh process: what an earlier execution left behind"))
    #expect(!words.contains("reproduced 10/10"))
    #expect(!words.contains("nondeterminism"))
    let line = try #require(result.replayLines.first)
    let replay = try await Self.run(line)
    #expect(!replay.output.contains("\nreproduced: "))
  }

  @Test func `makes no violation at all where each execution has a process of its own`() async throws {
    let result = try await Self.play("kept", "--fresh")
    #expect(result.output.contains("naive     holds in 60 schedules"))
    #expect(result.output.contains("each in a fresh process"))
  }

  @Test func `fresh processes that were asked for and cannot be had are an error`() async throws {
    let threaded = try await RunningTool.run(
      [Self.file, "--filter", "filled", "--fresh"], tool: "CrashingTool", environment: ["BEGINS_THREAD": "1"]
    ) { _ in }.result
    #expect(threaded.status == 3)
    #expect(threaded.output == "")
    #expect(
      threaded.errors == """
        CrashingTool: --fresh: no fresh process can be had: this process has other threads; without --fresh all \
        schedules run in one process

        """)
  }

  @Test(.enabled(if: canUnmountProcesses))
  func `without /proc the threads are not blamed`() async throws {
    let asked = try await Self.withoutProcesses("--fresh")
    #expect(asked.status == 3)
    #expect(asked.output == "")
    #expect(
      asked.errors.hasPrefix(
        "simrun: --fresh: no fresh process can be had: /proc cannot be read (mount it);"), "\(asked.errors)")
    let usual = try await Self.withoutProcesses("--verbose")
    #expect(usual.status == 0, "\(usual.output)\(usual.errors)")
    #expect(
      usual.words.contains("in one process (not tried in a fresh one: /proc cannot be read (mount it))"),
      "\(usual.output)")
  }

  private static func withoutProcesses(_ option: String) async throws -> Tool.Result {
    try await Tool.shell(
      "exec unshare -m sh -c 'mount -t tmpfs none /proc && exec \(Tool.path) --filter slow-dismiss --schedules 20 "
        + "\(option)'")
  }

  /// Whether this user may have a `/proc` of its own.
  private static let canUnmountProcesses: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "unshare -m mount -t tmpfs none /proc"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test(arguments: [[], ["--fresh"]])
  func `is no matter where it changes nothing: a cache that is filled, a formatter that is made`(
    _ options: [String]
  ) async throws {
    let result = try await Self.run([Self.file, "--filter", "filled"] + options)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(!result.output.contains("NOT EXPECTED"))
    let place = options.isEmpty ? "in one process" : "each in a fresh process"
    #expect(result.output.contains("naive     holds in 60 schedules, 4 behaviors, \(place)"))
  }

  @Test func `is told in the report, whose schema knows it`() async throws {
    let result = try await Self.play("filled", "--format", "json")
    #expect(result.output.contains("\"kind\": \"one-and-fresh\""))
    let found = try await Self.play("once", "--format", "json")
    #expect(found.output.contains("\"kind\": \"each-fresh\""))
    #expect(found.output.contains("\"freshReplay\": \"shown\""))
  }

  @Test(
    arguments: triesMore
      ? ["portfolio", "random", "pct", "pos", "urw", "surw", "delay", "reduced", "feedback"]
      : ["portfolio", "reduced", "feedback"])
  func `or none: every strategy finds the same in one process and in fresh ones`(_ strategy: String)
    async throws
  {
    let arguments = ["--filter", "slow-dismiss-anytime", "--schedules", "60", "--strategy", strategy]
    let one = try await Tool.run(arguments)
    let each = try await Tool.run(arguments + ["--fresh"])
    #expect(one.status == each.status)
    let words = { (text: String) in text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    #expect(
      words(one.output) == words(each.output).replacing("each in a fresh process", with: "in one process"))
  }

  @Test func `crashes are contained where each execution has a process of its own`() async throws {
    let result = try await Self.run(["Tests/CrashingTool/troubles.json", "--filter", "traps", "--fresh"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("violates no-crash"))
    #expect(result.output.contains("Fatal error: two visitors"))
  }
}
