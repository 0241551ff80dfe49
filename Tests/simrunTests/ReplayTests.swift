import Foundation
import TestEffort
import Testing

@Suite struct `Replaying schedules` {
  private static let file = "scenarios.json"

  @Test(.enabled(if: triesMore)) func `every scenario of the package is as expected`() async throws {
    let result = try await Tool.catalog.value
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("all as expected"))
  }

  /// Every third of them, or every thirtieth: each takes half a second, and a benchmark replays ten thousand.
  @Test func `printed lines reproduce their violations in another process`() async throws {
    let lines = try await Tool.catalog.value.replayLines.filter {
      $0.contains { $0.hasSuffix("-anytime") }
    }
    try #require(lines.count >= (triesMore ? 50 : 10))
    let sample = Set(lines).sorted { $0.joined() < $1.joined() }.enumerated()
      .filter { $0.offset.isMultiple(of: tries(30, more: 10, all: 3)) }
    for (_, line) in sample {
      let replay = try await Tool.run(line)
      #expect(replay.status == 0, "\(line.joined(separator: " "))\n\(replay.output)\(replay.errors)")
      #expect(replay.output.contains("\nreproduced: "))
    }
  }

  @Test func `a replay shows virtual time at the left and a column for each domain`() async throws {
    let result = try await Tool.run(try await Self.line("slow-dismiss", "naive"))
    #expect(result.lines.contains { $0.contains("5 s") && $0.contains("GET /profile returned") })
    #expect(result.output.contains("MainActor"))
    #expect(result.output.contains("FakeNetwork"))
  }

  @Test(arguments: [(UInt16(60), 60), (120, 120), (20, 48), (0, 80)])
  func `it uses the width of the terminal`(_ columns: UInt16, _ width: Int) async throws {
    let line = try await Self.line("slow-dismiss-anytime", "naive")
    let shown = try await Tool.onTerminal(line, environment: ["TERM": "xterm"], columns: columns)
    let lengths = shown.split(whereSeparator: \.isNewline).filter { !$0.contains(line[4]) }.map(\.count)
    let longest = try #require(lengths.max())
    #expect(longest <= width && longest > width - 12)
  }

  @Test func `its page marks where the schedule leaves the natural order, and has the nearest passing run`()
    async throws
  {
    let scratch = try Scratch()
    let line = try await Self.line("slow-dismiss-anytime", "naive")
    let result = try await Tool.run(line + ["--output", "html=\(scratch.path("page.html"))"])
    #expect(result.status == 0)
    let html = try scratch.text("page.html")
    #expect(html.contains("<b class=\"dv\">»</b>"))
    #expect(html.contains("The natural order, except that<br />» "))
    #expect(html.contains("the nearest passing run"))
    #expect(html.contains("first difference") && html.contains("here instead"))
  }

  @Test func `a changed option count is divergence at its choice`() async throws {
    var line = try await Self.line("slow-dismiss-anytime", "naive")
    let parts = line[4].split(separator: "/", maxSplits: 2)
    try #require(parts.count == 3)
    line[4] = "\(parts[0])/\(parts[1])/9\(parts[2].dropFirst())"
    let result = try await Tool.run(line)
    #expect(result.status == 1)
    #expect(result.output.contains("DIVERGED: at choice"))
    #expect(result.output.contains("not reproduced"))
  }

  @Test func `a changed digit of the digest is divergence`() async throws {
    var line = try await Self.line("slow-dismiss-anytime", "naive")
    let last = try #require(line[4].last)
    line[4] = String(line[4].dropLast()) + (last == "0" ? "1" : "0")
    let result = try await Tool.run(line)
    #expect(result.status == 1)
    #expect(result.output.contains("DIVERGED: every recorded choice was met, but the trace hashes to"))
  }

  /// The engine itself depends on no order of its sets.
  @Test
  func `another seed of hashing changes nothing but the tokens, and a replay has the seed of its token`()
    async throws
  {
    let arguments = ["--filter", tries("se*-anytime", all: "s*-anytime"), "--schedules", "40", "--verbose"]
    let plain = try await Tool.run(arguments)
    let other = try await RunningTool(arguments, environment: ["SIMULATOR_HASH_SEED": "7"]).result()
    #expect(other.output.replacing("debug-hash7", with: "debug") == plain.output)
    let line = try #require(other.replayLines.first)
    #expect(line[4].hasPrefix("debug-hash7"))
    let replay = try await Tool.run(line)
    #expect(replay.status == 0, "\(replay.output)")
    let back = try await RunningTool(
      plain.replayLines[0], environment: ["SIMULATOR_HASH_SEED": "7"]
    ).result()
    #expect(back.status == 0, "\(back.output)")
  }

  @Test func `a token of the other build is said to be one`() async throws {
    var line = try await Self.line("slow-dismiss-anytime", "naive")
    let build = line[4].prefix { $0 != "/" }
    line[4] = (build == "debug" ? "release" : "debug") + line[4].dropFirst(build.count)
    let result = try await Tool.run(line)
    #expect(result.status == 1)
    #expect(result.output.contains("DIVERGED: recorded in a "))
  }

  @Test func `a schedule that violates nothing any more says exactly that, and passes`() async throws {
    let line = try await Self.line("slow-dismiss", "naive")
    var token = line[4]
    let fixed = try await Tool.run("replay", Self.file, "slow-dismiss", "hardened", token)
    #expect(fixed.status == 0, "\(fixed.output)")
    #expect(
      fixed.words.contains(
        "nothing is violated any more: every recorded choice was met, and the trace is another than the"))
    token = String(try #require(fixed.lines.last { $0.hasPrefix("violates nothing: ") }).dropFirst(18))
    let same = try await Tool.run("replay", Self.file, "slow-dismiss", "hardened", token)
    #expect(same.status == 0)
    #expect(same.output.contains("nothing is violated, as it was recorded"))
  }

  @Test(arguments: [
    ["replay", file, "slow-dismis", "naive", "debug/#00000000"],
    ["replay", file, "slow-dismiss", "naiv", "debug/#00000000"],
    ["replay", file, "slow-dismiss", "naive", "debug/1:0/2#00000000"],
    ["replay", file, "slow-dismiss", "naive", "\u{1B}[31m"],
    ["replay", "nothing-here.json", "slow-dismiss", "naive", "debug/#00000000"],
    ["replay", file],
  ])
  func `what cannot be replayed is refused with status 2`(_ arguments: [String]) async throws {
    let result = try await Tool.run(arguments)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("simrun: "))
    #expect(!result.errors.contains("\u{1B}"))
  }

  private static func line(_ scenario: String, _ variant: String) async throws -> [String] {
    let lines = try await Tool.run("--filter", scenario).replayLines
    return try #require(lines.first { $0[3] == variant })
  }
}
