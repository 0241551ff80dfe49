import Foundation
import TestEffort
import Testing

/// Several processes share a run, and a merge joins what they have found.
@Suite(.serialized) struct `Sharing a run` {
  private static let formats = ["text", "json", "junit", "github", "html"]
  private static let run = ["--filter", "slow-dismiss*", "--schedules", "2000", "--seed", "5"]

  /// Runs shards and writes the report of each to `I.json`.
  private static func shards(_ indices: some Sequence<Int>, of count: Int, in scratch: Scratch) async throws {
    for index in indices {
      let result = try await Tool.run(run + arguments(index, of: count, in: scratch))
      try #require(result.status == 0, "\(result.errors)")
    }
  }

  private static func arguments(_ index: Int, of count: Int, in scratch: Scratch) -> [String] {
    ["--shard", "\(index)/\(count)", "--output", "json=\(scratch.path("\(index).json"))"]
  }

  /// A report in each format.
  private static func outputs(_ scratch: Scratch) -> [String] {
    formats.flatMap { ["--output", "\($0)=\(scratch.path($0))"] }
  }

  // On a busy machine it takes minutes; the limit is there to end what hangs.
  @Test(.timeLimit(.minutes(20)), .enabled(if: triesMore))
  func `sixteen shards, three of them killed and run again, come to what one process comes to`() async throws
  {
    try await expectSame(shards: 16, killed: [2, 9, 16])
  }

  @Test(.timeLimit(.minutes(20)))
  func `three shards, one of them killed and run again, come to what one process comes to`() async throws {
    try await expectSame(shards: 3, killed: [2])
  }

  private func expectSame(shards count: Int, killed: [Int]) async throws {
    let scratch = try Scratch()
    for index in 1...count where !killed.contains(index) {
      try await Self.shards([index], of: count, in: scratch)
    }
    for index in killed {
      let (wasAtWork, result) = try await RunningTool.run(
        Self.run + Self.arguments(index, of: count, in: scratch)
      ) {
        running in
        let workers = running.workers(1)
        kill(running.pid, SIGKILL)
        return !workers.isEmpty
      }
      #expect(wasAtWork)
      #expect(result.status == SIGKILL)
      #expect(scratch.size("\(index).json") == 0)
      let missing = try await Tool.run(["merge"] + (1...index).map { scratch.path("\($0).json") })
      #expect(missing.status == 2)
      try await Self.shards([index], of: count, in: scratch)
    }
    let files = (1...count).map { scratch.path("\($0).json") }
    let (all, merged) = (try Scratch(), try Scratch())
    #expect(try await Tool.run(Self.run + ["--shards", "\(count)"] + Self.outputs(all)).status == 0)
    #expect(try await Tool.run(["merge"] + files.reversed() + Self.outputs(merged)).status == 0)
    for format in Self.formats { #expect(try merged.text(format) == all.text(format)) }
  }

  @Test func `a shard that is run again writes the same bytes`() async throws {
    let scratch = try Scratch()
    try await Self.shards([2], of: 3, in: scratch)
    let first = try scratch.text("2.json")
    let again = try await Tool.run(Self.run + ["--shard", "2/3", "--format", "json", "--jobs", "1"])
    #expect(again.output == first)
  }

  @Test func `a merge of merges is the merge of all`() async throws {
    let scratch = try Scratch()
    try await Self.shards(1...4, of: 4, in: scratch)
    let files = (1...4).map { scratch.path("\($0).json") }
    let all = try await Tool.run(["merge", "--format", "json"] + files)
    let (left, right) = (scratch.path("left"), scratch.path("right"))
    let one = try await Tool.run("merge", "--partial", files[3], files[1], "--output", "json=\(left)")
    #expect(one.output.contains("shards 2, 4 of 4: "))
    #expect(one.output.hasSuffix("nothing unexpected so far\n"))
    #expect(
      try await Tool.run("merge", files[2], files[0], "--partial", "--output", "json=\(right)").status == 0)
    #expect(try await Tool.run("merge", "--format", "json", right, left).output == all.output)
    let whole = try scratch.write(all.output, as: "whole")
    #expect(try await Tool.run("merge", "--format", "json", whole).output == all.output)
  }

  @Test func `the exit status follows from what all have found`() async throws {
    let scratch = try Scratch()
    let unexpected = try scratch.write(
      `Reports to files`.scenario(naive: #""holds""#, schedules: 100), as: "unexpected.scenarios")
    let gone = try scratch.write(
      `Reports to files`.scenario(hardened: #"[ "no-orphaned-write" ]"#, schedules: 100), as: "gone.scenarios"
    )
    for (file, options, shard, status) in [
      (unexpected, [], 1 as Int32, 1 as Int32), (gone, [], 0, 0), (gone, ["--strict"], 0, 1),
    ] {
      for index in 1...2 {
        let run = ["run", file] + options + Self.arguments(index, of: 2, in: scratch)
        #expect(try await Tool.run(run).status == shard)
      }
      let merged = try await Tool.run("merge", scratch.path("1.json"), scratch.path("2.json"))
      #expect(merged.status == status)
      #expect(try await Tool.run(["run", file, "--shards", "2"] + options).status == status)
    }
  }

  @Test func `what a signal has ended is not joined`() async throws {
    let scratch = try Scratch()
    let arguments =
      ["--schedules", "10000000", "--filter", "slow-dismiss"] + Self.arguments(1, of: 2, in: scratch)
    let (_, result) = try await RunningTool.run(arguments) { running in
      let workers = running.workers(1)
      // It has begun once its recorder moves; before that there is nothing to tell.
      usleep(300_000)
      kill(running.pid, SIGTERM)
      return workers
    }
    #expect(result.status == 143)
    let merged = try await Tool.run("merge", "--partial", scratch.path("1.json"))
    #expect(merged.status == 2)
    #expect(merged.errors.contains("was ended by a signal before its end; run its shard again"))
  }

  @Test func `a report is not written over one that is merged`() async throws {
    let scratch = try Scratch()
    try await Self.shards([1], of: 1, in: scratch)
    let before = try scratch.text("1.json")
    let path = scratch.path("1.json")
    let result = try await Tool.run("merge", path, "--output", "text=\(path)")
    #expect(result.status == 2)
    #expect(result.errors.contains("is a report that is to be merged; name another"))
    #expect(try scratch.text("1.json") == before)
  }

  @Test func `shards of another seed, other options and other files are refused`() async throws {
    let scratch = try Scratch()
    try await Self.shards([1], of: 2, in: scratch)
    let file = try scratch.write(`Reports to files`.scenario(), as: "other.scenarios")
    for (other, difference) in [
      (["--filter", "slow-dismiss*", "--schedules", "3000", "--seed", "6"], "the seed differs"),
      (["--filter", "slow-dismiss*", "--schedules", "2999", "--seed", "5"], "the options differ"),
      ([file] + Self.run.dropFirst(2), "the scenario files differ"),
    ] {
      let result = try await Tool.run(other + Self.arguments(2, of: 2, in: scratch))
      #expect(result.status == 0, "\(result.errors)")
      let merged = try await Tool.run("merge", scratch.path("1.json"), scratch.path("2.json"))
      #expect(merged.status == 2)
      #expect(
        merged.errors.contains("2.json: is of another run than \(scratch.path("1.json")): \(difference)"))
    }
  }
}
