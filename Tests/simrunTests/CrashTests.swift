import Foundation
import TestEffort
import Testing

/// What becomes of systems that end their process.
@Suite struct `Code that ends its process` {
  private static let file = "Tests/CrashingTool/troubles.json"
  private static let environment = ["SIMULATOR_STALL_SECONDS": "2", "SIMULATOR_MEMORY_MIB": "600"]

  private static func run(_ arguments: [String]) async throws -> Tool.Result {
    try await ToolSlots.shared.occupied {
      try await RunningTool(arguments, tool: "CrashingTool", environment: environment).result()
    }
  }

  private static func play(_ scenario: String, _ arguments: String...) async throws -> Tool.Result {
    try await run([file, "--filter", scenario] + arguments)
  }

  @Test(
    arguments: [
      ("traps", "Fatal error: two visitors at a time"), ("overflows", "SIGILL"), ("aborts", "SIGABRT"),
      ("exits", "the process was ended by exit(0)"), ("is-killed", "SIGKILL"), ("recurses", "SIGSEGV"),
      ("is-terminated", "the program sent itself SIGTERM, at"),
      ("stops", "the program sent itself SIGSTOP, at"),
      ("hears-of-no-children", "Fatal error: two visitors at a time"),
      ("hoards", "the process used more than "),
      ("loops", "no step began or ended for "),
      ("waits", "no step began or ended for "),
      // The child that it leaves behind holds every file of its own.
      ("forks-and-traps", "Fatal error: two visitors at a time"), ("writes-to-closed-pipe", "SIGPIPE"),
    ].enumerated().filter { triesMore || $0.offset.isMultiple(of: 3) }.map(\.element))
  func `is a violation with its smallest schedule`(_ scenario: String, _ words: String) async throws {
    let result = try await Self.play(scenario)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words))
    #expect(result.output.contains("✓ hardened  holds in 200 schedules"))
    let line = try #require(result.replayLines.first)
    #expect(line[4].contains("/0:1/3#") || line[4].contains("/0:2/3#"), "\(line)")
  }

  @Test func `is a violation in the handler of a cancel between two steps, and replays`() async throws {
    let result = try await Self.play("traps-when-cancelled")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    // The line is broken between the two words.
    #expect(result.output.contains("Fatal error: cancelled\n"), "\(result.output)")
    #expect(result.output.contains("✓ hardened  holds in "))
    let line = try #require(result.replayLines.first)
    #expect(try await Self.run(Array(line)).output.contains("reproduced: \(line[4])"))
  }

  @Test(arguments: ["scribbles", "truncates"])
  func `is not what reaches for files of others`(_ scenario: String) async throws {
    let result = try await Self.play(scenario)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("✓ naive     holds in 200 schedules"))
  }

  /// For real, libraries would miss what is closed.
  @Test func `is an escape where it closes what it has not opened`() async throws {
    let result = try await Self.play("closes-all")
    #expect(result.status == 1)
    #expect(result.output.contains("leaves the simulation by close"), "\(result.output)")
  }

  @Test func `leaves no process behind`() async throws {
    let (children, result) = try await RunningTool.run(
      [Self.file, "--filter", "forks-and-traps", "--seed", "4711"], tool: "CrashingTool",
      environment: Self.environment
    ) { running in
      RunningTool.wait(seconds: 60) { !RunningTool.isAlive(running.pid) }
    }
    #expect(children)
    #expect(result.status == 0)
    let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
    let left = all.filter {
      RunningTool.command(of: $0).contains("4711") && RunningTool.isAlive($0)
    }
    #expect(left == [])
  }

  @Test func `is found in the natural order too`() async throws {
    let result = try await Self.play("*-at-once")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.replayLines.count == 2)
    #expect(result.replayLines.allSatisfy { $0[4].contains("/#") })
  }

  @Test func `does not hide what else is wrong`() async throws {
    let result = try await Self.play("miscounts-and-traps")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("violates screen-matches-disk, no-crash"))
  }

  @Test func `is not held against a program that was only being put away`() async throws {
    let result = try await Self.play("dies-when-put-away")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(!result.output.contains("no-crash"))
  }

  @Test func `beside another thread it is reported unshrunk, and says so`() async throws {
    let result = try await Self.play("traps-beside-thread")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("not shrunk: a process with"))
  }

  @Test(arguments: ["traps", "exits", "recurses", "traps-beside-thread"])
  func `is contained in a replay, which shows the steps before it`(_ scenario: String) async throws {
    let line = try #require(try await Self.play(scenario).replayLines.first)
    let replay = try await ToolSlots.shared.occupied {
      try await RunningTool(line, tool: "CrashingTool").result()
    }
    #expect(replay.status == 0, "\(replay.output)\(replay.errors)")
    #expect(replay.output.contains("violates no-crash at 500 ms, step 8\n"))
    #expect(replay.output.contains("▶ visit 2"))
    #expect(replay.output.contains("✗ the process ends"))
    #expect(replay.output.contains("\nreproduced: "))
  }

  @Test func `is found by any number of workers in the same way`() async throws {
    let files = triesMore ? "*a*s*" : "*as*"
    let one = try await Self.play(files, "--jobs", "1", "--strategy", "random")
    let many = try await Self.play(files, "--jobs", "5", "--strategy", "random")
    // A process that fills the memory is asked where it is, and may have no time left to answer.
    let place = /( MiB of memory), at Trouble\.hoard\(\)\s+Trouble\.swift:\d+/
    let outputs = [one, many].map { $0.output.replacing(place) { String($0.output.1) } }
    #expect(outputs[0] == outputs[1])
  }

  @Test func `what simulated code prints is kept out of standard output`() async throws {
    let result = try await Self.play("none")
    #expect(!result.output.contains("two visitors\n"))
    #expect(result.errors.contains("two visitors\n"))
  }
}
