import Foundation
import Testing

@Suite struct `Tracing schedules` {
  private static let file = "scenarios.json"

  @Test func `the natural order of a variant that holds is a timeline, and nothing breaks in it`()
    async throws
  {
    let result = try await Tool.run("trace", Self.file, "slow-dismiss", "hardened")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.lines.first == "slow-dismiss · hardened, in a fresh process")
    #expect(result.lines.dropFirst().first == "nothing is violated")
    #expect(result.output.contains("\n  time  "))
    #expect(result.output.contains("leave returned"))
    #expect(result.output.contains("\nthe natural order\n"))
    let token = try #require(result.lines.last { $0.hasPrefix("violates nothing: ") }?.dropFirst(18))
    let replayed = try await Tool.run("replay", Self.file, "slow-dismiss", "hardened", String(token))
    #expect(replayed.status == 0, "\(replayed.output)")
    #expect(replayed.output.contains("nothing is violated, as it was recorded"))
  }

  @Test func `what breaks in the natural order is said, and no recording is spoken of`() async throws {
    let result = try await Tool.run("trace", Self.file, "slow-dismiss", "naive")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("\nviolates nothing-after-dismissal at "))
    #expect(!result.output.contains("reproduced"))
    #expect(!result.output.contains("DIVERGED"))
    let token = try #require(result.lines.last { $0.hasPrefix("its schedule: ") }?.dropFirst(14))
    let replayed = try await Tool.run("replay", Self.file, "slow-dismiss", "naive", String(token))
    #expect(replayed.output.contains("\nreproduced: \(token)\n"))
  }

  /// A search of this scenario lets steps overlap, for its tasks share a lock.
  @Test func `the natural order is the one of a search, where steps overlap too`() async throws {
    let file = "scenarios/queues.json"
    let found = try await Tool.run(file, "--filter", "locked-cache-error")
    let line = try #require(found.replayLines.first { $0[3] == "naive" })
    let token = try #require(line.last)
    try #require(token.contains("-overlapping/#"))
    let traced = try await Tool.run("trace", file, "locked-cache-error", "naive")
    #expect(traced.lines.last { $0.hasPrefix("its schedule: ") } == "its schedule: \(token)")
  }

  @Test func `a token is traced as it is replayed, and one that leads elsewhere exits with 1`() async throws {
    let found = try await Tool.run("--filter", "slow-dismiss-anytime")
    let line = try #require(found.replayLines.first { $0[3] == "naive" })
    let traced = try await Tool.run(["trace"] + line.dropFirst())
    #expect(traced.status == 0)
    #expect(try await traced.output == Tool.run(line).output)
    let other = line[4].prefix { $0 != "#" } + "#00000000"
    let lost = try await Tool.run(["trace"] + line[1...3] + [String(other)])
    #expect(lost.status == 1)
    #expect(lost.output.contains("DIVERGED: "))
  }

  @Test func `a page shows a schedule in which nothing breaks`() async throws {
    let scratch = try Scratch()
    let page = scratch.path("page.html")
    let result = try await Tool.run(
      "trace", Self.file, "slow-dismiss", "hardened", "--output", "html=\(page)")
    #expect(result.status == 0, "\(result.errors)")
    let text = try scratch.text("page.html")
    #expect(text.contains("violates nothing, in a fresh process"))
    #expect(text.contains("leave returned"))
  }

  @Test func `a story that is made up is traced too`() async throws {
    let result = try await Tool.run("trace", "fuzz", "sign-in.stories-6", "hardened")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("the natural order"))
  }

  @Test(arguments: [
    (["slow-dismis", "naive"], #"unknown scenario "slow-dismis"; did you mean "slow-dismiss"?"#),
    (["slow-dismiss", "naiv"], #"unknown variant "naiv"; did you mean "naive"?"#),
    (["slow-dismiss"], "VARIANT is missing; usage: simrun trace"),
    (["slow-dismiss", "naive", "debug"], #""debug" is no replay token"#),
    (["slow-dismiss", "naive", "--output", "html=/nowhere/p.html"], "cannot write /nowhere/p.html"),
  ])
  func `what cannot be traced is refused with its cure`(arguments: [String], sentence: String) async throws {
    let result = try await Tool.run(["trace", Self.file] + arguments)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.contains(sentence), "\(result.errors)")
  }
}
