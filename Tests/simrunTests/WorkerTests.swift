import Foundation
import TestEffort
import Testing

@Suite struct `Worker processes` {
  private static let few = [
    "--filter", tries("se*-anytime", all: "s*-anytime"), "--schedules", "60",
    "--verbose",
  ]
  /// What they come to where nothing happens to the tool.
  private static let undisturbed = Task { try await Tool.run(few) }

  @Test func `the number of workers changes no byte of standard output`() async throws {
    let one = try await Tool.run(Self.few + ["--jobs", "1"])
    let seven = try await Tool.run(Self.few + ["--jobs", "7"])
    try #require(one.lines.count > 30)
    #expect(one.output == seven.output)
    #expect(one.status == seven.status)
  }

  @Test func `a worker that is killed is replaced, and changes nothing`() async throws {
    let undisturbed = try await Self.undisturbed.value
    let (workers, result) = try await RunningTool.run(Self.few + ["--jobs", "2"]) { running in
      // The fork server, two copies of it that work, and one that is kept ready.
      let workers = running.workers(4)
      for worker in workers { kill(worker, SIGKILL) }
      return workers
    }
    try #require(workers.count == 4)
    #expect(result.output == undisturbed.output)
    #expect(result.status == undisturbed.status)
  }

  @Test func `without the fork server workers are started one by one and find the same`() async throws {
    let undisturbed = try await Self.undisturbed.value
    let (server, result) = try await RunningTool.run(Self.few + ["--jobs", "2"]) { running in
      let server = running.workers(1).first
      if let server { kill(server, SIGKILL) }
      return server
    }
    try #require(server != nil)
    #expect(result.output == undisturbed.output)
    #expect(result.errors == undisturbed.errors)
    #expect(result.status == undisturbed.status)
  }

  @Test func `workers do not outlive a parent that is killed`() async throws {
    let (seen, _) = try await RunningTool.run(["--jobs", "3"]) { running in
      let workers = running.workers(5)
      kill(running.pid, SIGKILL)
      let haveGone = RunningTool.wait(seconds: 120) { !workers.contains(where: RunningTool.isAlive) }
      return (workers: workers.count, haveGone: haveGone)
    }
    // The fork server is one of them, and so is the copy that is kept ready.
    try #require(seen.workers == 5)
    #expect(seen.haveGone)
  }

  @Test(
    arguments: [(Int32(SIGINT), Int32(130)), (Int32(SIGTERM), Int32(143)), (Int32(SIGHUP), Int32(129))]
      .prefix(tries(1, more: 3, all: 3)))
  func `a signal prints what is known so far and ends it`(_ signal: Int32, _ status: Int32) async throws {
    let arguments = ["--jobs", "1", "--filter", "slow-dismiss*", "--filter", "t*"]
    let (hasBegun, result) = try await RunningTool.run(arguments) { running in
      let hasBegun = try running.waits(for: "slow-dismiss-anytime")
      kill(running.pid, signal)
      return hasBegun
    }
    try #require(hasBegun)
    #expect(result.status == status)
    #expect(result.lines.contains { $0.hasPrefix("✓ slow-dismiss ") })
    #expect(result.lines.last?.isEmpty == true)
    #expect(result.output.contains("ended by a signal: "))
    #expect(result.output.contains(" scenarios not begun\n"))
  }

  @Test func `a time limit ends it cleanly, and strictly taken is a failure`() async throws {
    let arguments = [
      "Tests/CrashingTool/troubles.json", "--filter", "none", "--schedules", "10000000", "--time-limit", "1s",
      "--jobs", "2",
    ]
    let lenient = try await RunningTool(arguments, tool: "CrashingTool").result()
    #expect(lenient.output.contains("–"))
    #expect(lenient.output.contains("\nended by the time limit: "))
    #expect(lenient.status == 0, "\(lenient.output)")
    #expect(try await RunningTool(arguments + ["--strict"], tool: "CrashingTool").result().status == 1)
  }

  @Test func `a time limit that is not reached changes nothing`() async throws {
    #expect(try await Tool.run(Self.few + ["--time-limit", "1h"]).output == Self.undisturbed.value.output)
  }

  @Test func `there is no progress line without a terminal`() async throws {
    let result = try await Tool.run(["--filter", "inbox-refresh-anytime", "--schedules", "40"])
    #expect(!result.errors.contains("\r"))
    #expect(!result.errors.contains("left"))
  }
}
