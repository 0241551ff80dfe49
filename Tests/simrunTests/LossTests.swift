import Foundation
import TestEffort
import Testing

/// What happens to the processes of the tool, and is not their program's doing.
@Suite struct `What is not the program's doing` {
  private static let file = "Tests/CrashingTool/disturbed.json"
  private static let formats = ["json", "junit", "github"]

  /// Kills each worker a moment after it has begun, the first one when it has miscounted so often, until the tool has ended.
  private static func killed(_ arguments: [String], miscounts: Int = 0) async throws -> Tool.Result {
    let scratch = try Scratch()
    return try await RunningTool.run(
      [file, "--jobs", "1"] + arguments, tool: "CrashingTool",
      environment: ["MISCOUNTED": scratch.path("marks")]
    ) { running in
      var last: Int32 = 0
      _ = RunningTool.wait(seconds: 300) {
        if let worker = RunningTool.children(of: running.pid).first, worker != last {
          if last == 0 { _ = RunningTool.wait(seconds: 120) { scratch.size("marks") >= miscounts } }
          usleep(200_000)
          kill(worker, SIGKILL)
          last = worker
        }
        return !RunningTool.isAlive(running.pid)
      }
    }.result
  }

  // On a busy machine it takes minutes; the limit is there to end what hangs.
  @Test(.timeLimit(.minutes(30)), .enabled(if: triesMore))
  func `workers that are killed again and again leave a variant not judged, in every format`()
    async throws
  {
    let scratch = try Scratch()
    let outputs = Self.formats.flatMap { ["--output", "\($0)=\(scratch.path($0))"] }
    let result = try await Self.killed(["--filter", "none", "--schedules", "1000000"] + outputs)
    #expect(result.status == 3, "\(result.output)\(result.errors)")
    #expect(!result.output.contains("no-crash"))
    let sentence = "its process was killed 12 times, and no schedule shows why"
    #expect(result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(sentence))
    #expect(result.output.contains("not judged: 2 variants"))
    for format in Self.formats {
      let text = try scratch.text(format)
      #expect(text.contains(sentence), "\(text)")
      #expect(!text.contains("no-crash"))
    }
    #expect(try scratch.text("json").contains(#""holds": false"#))
    #expect(try scratch.text("junit").contains(/<error [^>]*type="not-judged"/))
  }

  @Test(.enabled(if: triesMore)) func `what was found before the loss is kept, and replays`() async throws {
    let result = try await Self.killed(["--filter", "long"], miscounts: 200)
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    #expect(result.output.contains("✗ naive     violates screen-matches-disk ("))
    #expect(result.output.contains("not judged: 2 variants"))
    #expect(!result.output.contains("no-crash"))
    let line = try #require(result.replayLines.first)
    #expect(try await RunningTool(line, tool: "CrashingTool").result().status == 0)
  }

  @Test func `a program that writes to every descriptor loses itself, not the run`() async throws {
    let result = try await RunningTool([Self.file, "--filter", "[ns]*e"], tool: "CrashingTool").result()
    #expect(result.status == 3, "\(result.output)\(result.errors)")
    #expect(result.output.contains("not judged: 1 variant"))
    #expect(result.lines.count { $0.contains("holds in 200 schedules") } == 3)
  }

  @Test func `too few descriptors for all workers are said once, and change nothing`() async throws {
    let arguments = "--filter 't*-anytime' --schedules 20"
    let all = try await Tool.shell("exec \(Tool.path) \(arguments)")
    let few = try await Tool.shell("ulimit -n 64; exec \(Tool.path) \(arguments) --jobs 40")
    #expect(few.status == all.status)
    #expect(few.output == all.output)
    #expect(few.errors.split(separator: "\n").count { $0.contains(" of 40 workers could be started") } == 1)
  }

  @Test func `the limit that leaves too few descriptors is named`() async throws {
    let result = try await Tool.shell("ulimit -n 20; exec \(Tool.path) --filter slow-dismiss --schedules 20")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(
      result.errors.hasPrefix(
        "simrun: a worker process could not be started: Too many open files; raise the limit (ulimit -n). "
          + "Everything is played in this process"), "\(result.errors)")
  }

  @Test(arguments: triesMore ? ["-St", "-t"] : ["-St"])
  func `a limit of processor time is named where it ends workers`(
    _ limit: String
  ) async throws {
    let result = try await Tool.shell(
      "ulimit \(limit) 1; exec \(Tool.path) --filter log-out-anytime --holding --schedules 10000000 --jobs 1")
    #expect(result.status == 3, "\(result.output)\(result.errors)")
    #expect(result.words.contains("if memory is short") == (limit == "-t"), "\(result.output)")
    #expect(
      result.words.contains("a process may use 1 s of processor time here; raise the limit (ulimit -t)"),
      "\(result.output)")
  }

  @Test func `the limit of memory is below that of the address space`() async throws {
    let tool = Tool.path.replacing(/simrun$/, with: "CrashingTool")
    let result = try await Tool.shell(
      "ulimit -v 1000000; exec \(tool) Tests/CrashingTool/troubles.json --filter hoards")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains(/used more than \d+ MiB of\s+memory/))
  }

  @Test(arguments: triesMore ? ["text", "json", "junit", "github"] : ["json"])
  func `what is being made smaller is known when a signal comes`(_ format: String) async throws {
    let scratch = try Scratch()
    let result = try await RunningTool.run(
      [Self.file, "--filter", "slow", "--format", format], tool: "CrashingTool",
      environment: ["MISCOUNTED": scratch.path("marks")]
    ) { running in
      // It was found, replayed, and shown in a fresh process; now it is being made smaller, which takes long.
      _ = RunningTool.wait(seconds: 600) { scratch.size("marks") >= 4 }
      kill(running.pid, SIGINT)
    }.result
    #expect(result.status == 130)
    #expect(result.output.contains("screen-matches-disk"), "\(result.output)")
  }

  // The environment is at the top of the stack and in the heap, so its size decides where objects are.
  @Test func `a program that acts on an address is nondeterministic, or replays anywhere`() async throws {
    for size in stride(from: 0, to: 400, by: tries(56, all: 8)) {
      let environment = ["PADDING": String(repeating: "x", count: size)]
      let arguments = [Self.file, "--filter", "address"]
      let result = try await RunningTool(arguments, tool: "CrashingTool", environment: environment).result()
      let again = try await RunningTool(arguments, tool: "CrashingTool", environment: environment).result()
      #expect(again.output == result.output)
      for line in result.replayLines where !result.output.contains("nondeterminism") {
        for environment in [environment, [:]] {
          let replay = try await RunningTool(line, tool: "CrashingTool", environment: environment).result()
          #expect(replay.status == 0, "\(line.joined(separator: " "))\n\(replay.output)")
        }
      }
    }
  }

  @Test func `a replay is named as the tool was called`() async throws {
    let folder = URL(filePath: Tool.path).deletingLastPathComponent().path
    let file = Tool.packageFolder.appending(path: "scenarios.json").path
    let called = try await Tool.shell("cd '\(folder)'; exec ./simrun --filter slow-dismiss \(file)")
    #expect(called.output.contains("    replay: ./simrun replay \(file) slow-dismiss naive "))
    let absolute = try await Tool.shell("exec \(Tool.path) --filter slow-dismiss")
    #expect(absolute.output.contains("    replay: \(Tool.path) replay scenarios.json slow-dismiss naive "))
  }
}
