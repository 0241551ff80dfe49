import Testing

@Suite struct `The audit of the catalog` {
  @Test func `comes to what the descriptors declare, and no variant that is to hold breaks a rule`()
    async throws
  {
    let result = try await Tool.run("audit")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.hasSuffix(": all as declared\n"))
    #expect(result.lines.allSatisfy { $0.count <= 80 })
    let hardened = result.lines.filter { $0.hasPrefix("  hardened ") }
    #expect(hardened.count >= 35)
    #expect(hardened.allSatisfy { !$0.contains("✗") })
    #expect(result.lines.contains { $0.hasPrefix("  naive ") && $0.contains("✗") })
  }

  @Test func `of one scenario shows where a rule is broken`() async throws {
    let result = try await Tool.run("audit", "scenarios.json", "inbox-refresh")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.words.contains("✗ network and store are asked off the main actor:"), "\(result.output)")
  }
}
