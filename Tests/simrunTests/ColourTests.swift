import Foundation
import Testing

@Suite struct `Colors` {
  private static let arguments = ["--filter", "slow-dismiss"]

  @Test func `a terminal gets colors`() async throws {
    let shown = try await Tool.onTerminal(Self.arguments, environment: ["TERM": "xterm"])
    #expect(shown.contains("\u{1B}[32m✓\u{1B}[0m hardened"))
    #expect(shown.contains("\u{1B}[33m⊗\u{1B}[0m naive"))
    #expect(shown.contains("\u{1B}[31mno-orphaned-write\u{1B}[0m"))
    #expect(shown.contains("\u{1B}[2m    replay: "))
  }

  @Test(arguments: [
    ["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb"],
  ])
  func `a terminal that wants none gets none`(environment: [String: String]) async throws {
    let shown = try await Tool.onTerminal(Self.arguments, environment: environment)
    #expect(shown.contains("⊗ naive"))
    #expect(!shown.contains("\u{1B}"))
  }

  @Test func `an empty NO_COLOR is none`() async throws {
    let shown = try await Tool.onTerminal(Self.arguments, environment: ["TERM": "xterm", "NO_COLOR": ""])
    #expect(shown.contains("\u{1B}[32m"))
  }

  @Test func `a file gets none`() async throws {
    #expect(try await !Tool.run(Self.arguments).output.contains("\u{1B}"))
  }
}
