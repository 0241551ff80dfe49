import Foundation
import TestEffort
import Testing

@Suite struct `Recording stories` {
  /// Stories with faults of the network and overlapping actions, with a screen that is left, and with cancels.
  @Test(.enabled(if: triesMore))
  func `each story is an ordinary scenario that shows the same`() async throws {
    let scratch = try Scratch()
    let file = scratch.path("found.json")
    let found = try await Tool.run(
      "fuzz", "inbox-refresh", "detached-work", "every-layer", "--variant", "naive", "--variant", "published",
      "--variant", "naive-view", "--schedules", "400", "--bound", "none", "--seed", "5", "--record", file)
    #expect(found.status == 0, "\(found.output)\(found.errors)")
    #expect(!found.words.contains("not recorded"), "\(found.words)")
    let text = try scratch.text("found.json")
    for piece in [
      "The user: refresh, refresh before the first has ended. The world: the first network GET /inbox takes 5s",
      #""calls": [{ "reply": "offline" }, {}]"#, #"{ "do": "open" }, { "do": "leave" }"#,
      "The user: read, cancel of the first. ", #"{ "cancel": "first" }"#,
    ] {
      #expect(text.contains(piece), "\(piece) in \(text)")
    }
    let names = text.ranges(of: "\"name\": \"fuzz-").count
    #expect(names >= 5)
    #expect(found.output.ranges(of: "\nrecorded in \(file): fuzz-").count == names)

    // Its own search shows it, too: not only the schedule that stands there.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let bare = lines.filter { !$0.contains("\"replays\"") }.joined(separator: "\n")
    let unaided = bare.replacing(try Regex(",(\\s*\\})"), with: { $0.output[1].substring ?? "" })
    for file in [file, try scratch.write(String(unaided), as: "bare.json")] {
      let again = try await Tool.run(file, "--strict")
      #expect(again.status == 0, "\(again.output)\(again.errors)")
    }
  }

  @Test func `one story is recorded when it is replayed`() async throws {
    let scratch = try Scratch()
    let file = scratch.path("one.json")
    let found = try await Tool.run(
      "fuzz", "cached-store", "--variant", "naive", "--schedules", "200", "--bound", "none")
    let line = try #require(found.replayLines.first)
    let replayed = try await Tool.run(line + ["--record", file])
    #expect(replayed.status == 0, "\(replayed.output)\(replayed.errors)")
    #expect(
      replayed.output.contains("recorded in \(file): fuzz-cached-store-naive-cache-matches-disk naive "))
    #expect(try await Tool.run(file).status == 0)
    #expect(try await Tool.run(line + ["--record", file]).errors.contains("is there already"))
  }

  @Test func `files are written also where nothing can be printed`() async throws {
    let scratch = try Scratch()
    let options = "fuzz cached-store --variant naive --schedules 200 --bound none"
    let found = try await Tool.shell(
      "\(Tool.path) \(options) --record \(scratch.path("found.json")) >/dev/full; echo $?")
    #expect(found.output == "3\n")
    #expect(try scratch.names() == ["found.json"])
    let line = try #require(try await Tool.shell("\(Tool.path) \(options)").replayLines.first)
    let replayed = try await Tool.shell(
      "\(Tool.path) \(line.joined(separator: " ")) --record \(scratch.path("one.json")) "
        + "--output html=\(scratch.path("page.html")) >/dev/full; echo $?")
    #expect(replayed.output == "3\n")
    #expect(try scratch.names() == ["found.json", "one.json", "page.html"])
  }

  @Test func `a story without a connection says so, in words and in its world`() async throws {
    let scratch = try Scratch()
    let file = scratch.path("tunnel.json")
    let found = try await Tool.run(
      "fuzz", "two-requests-race", "--variant", "naive", "--schedules", "100", "--bound", "none", "--record",
      file)
    #expect(found.status == 0, "\(found.output)\(found.errors)")
    let text = try scratch.text("tunnel.json")
    for piece in [
      "The user: toggle. The world: there is no connection from 75ms on for 10s.",
      #""offline": [{ "from": "75ms", "for": "10s" }]"#,
    ] {
      #expect(text.contains(piece), "\(piece) in \(text)")
    }
    #expect(try await Tool.run(file, "--strict").status == 0)
    let replayed = try await Tool.run(try #require(found.replayLines.first))
    #expect(
      replayed.words.contains("10 s without a connection instead of none"), "\(replayed.words)")
  }

  @Test func `a story in which nothing is done is not recorded, and is told with its replay line`()
    async throws
  {
    let scratch = try Scratch()
    let result = try await Tool.run(
      "fuzz", "reducer-with-effects", "--variant", "stream", "--schedules", "100", "--bound", "none",
      "--record",
      scratch.path("none.json"))
    #expect(
      result.words.contains(
        "warning: not recorded: nothing-outlives of reducer-with-effects stream: the user does nothing in its story"
      ),
      "\(result.words)")
    #expect(result.words.contains("it is replayed by"))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("none.json")))
  }

  @Test func `schedules of a scenario file are recorded elsewhere`() async throws {
    let result = try await Tool.run(
      "replay", "scenarios.json", "slow-dismiss", "naive", "debug/#0", "--record", "a.json")
    #expect(result.status == 2)
    #expect(result.errors.contains("simrun run --record"), "\(result.errors)")
  }
}
