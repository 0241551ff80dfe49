import Testing

/// What a person sees of a run of many scenarios.
@Suite struct BriefTests {
  private static let two = ["--filter", "slow-dismiss", "--filter", "log-out"]

  @Test func `a scenario that is as expected takes one line, and --verbose tells all`() async throws {
    let brief = try await Tool.run(Self.two + ["--schedules", "50"])
    #expect(brief.status == 0)
    #expect(brief.output.split(separator: "\n").count == 5)
    #expect(brief.output.contains("\n✓ slow-dismiss                      1 holds in 50 schedules, 1 breaks"))
    #expect(!brief.output.contains("replay: "))
    let whole = try await Tool.run(Self.two + ["--schedules", "50", "--verbose"])
    #expect(whole.output.contains("replay: "))
    #expect(brief.output.split(separator: "\n").last == whole.output.split(separator: "\n").last)
  }

  @Test func `of a scenario that is not as expected what was not is told, and nothing else`() async throws {
    // With one schedule the searched-for races of most scenarios are not found.
    let result = try await Tool.run(
      "--filter", "log-out", "--filter", "inbox-refresh-anytime", "--schedules", "1", "--strict")
    #expect(result.status == 1)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("✓ log-out ") })
    #expect(lines.contains { $0.hasPrefix("✗ inbox-refresh-anytime ") })
    #expect(lines.contains { $0.hasPrefix("  ✗ published") })
    #expect(!lines.contains { $0.contains("hardened") && !$0.hasPrefix("    ") })
  }

  @Test func `one scenario tells its findings in full`() async throws {
    let result = try await Tool.run("--filter", "slow-dismiss")
    #expect(result.output.contains("  ✓ hardened  holds in "))
    #expect(result.output.contains("replay: "))
  }

  @Test func `each filter must match something`() async throws {
    let result = try await Tool.run("--filter", "slow-dismiss", "--filter", "fast-dismiss")
    #expect(result.status == 2)
    #expect(result.errors.contains("no scenario matches \"fast-dismiss\""))
  }

  @Test func `a name that is no file is told how scenarios are named`() async throws {
    let result = try await Tool.run("slow-dismiss")
    #expect(result.status == 2)
    #expect(result.errors.contains("scenarios: --filter=NAME"))
  }
}
