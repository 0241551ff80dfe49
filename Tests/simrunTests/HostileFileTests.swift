import Foundation
import TestEffort
import Testing

/// Files that want memory, time, or other files.
@Suite struct `Hostile files` {
  /// Of address space; with the libraries that it maps, the tool takes half of this before it reads anything.
  private static let kibibytes = 250_000

  /// A text that is one piece over and over. It goes by these two, for a report of the tests shows what each was given.
  struct Filling: Sendable, CustomTestStringConvertible {
    let piece: String
    var start = ""
    var bytes = 1 << 19

    var text: String {
      start + String(repeating: piece, count: (bytes - start.utf8.count) / piece.utf8.count)
    }
    var testDescription: String { "\(start.debugDescription), then \(piece.debugDescription)" }
  }

  @Test(
    // Waiting for its turn counts too; the limit is there to end what hangs.
    .timeLimit(.minutes(20)),
    arguments: [
      Filling(piece: "[],", start: #"{"version":1,"scenarios":["#),
      Filling(piece: "{},", start: #"{"version":1,"scenarios":["#),
      Filling(piece: "\"a\",", start: #"{"version":1,"include":["#), Filling(piece: "["),
      Filling(piece: ",", start: "["), Filling(piece: "\\u0041", start: "\""), Filling(piece: "\u{1}é]}\""),
      Filling(piece: "\n"), Filling(piece: "9", start: #"{"version":"#), Filling(piece: " ", bytes: 9 << 20),
    ].enumerated().filter { $0.offset.isMultiple(of: tries(4, more: 2, all: 1)) }.map(\.element))
  func `a file cannot make the tool take much memory`(_ filling: Filling) async throws {
    let scratch = try Scratch()
    let file = try scratch.write(filling.text, as: "hostile.json")
    let result = try await Tool.shell("ulimit -v \(Self.kibibytes); exec \(Tool.path) check \(file)")
    #expect(result.status == 2, "\(result.errors.prefix(500))")
    #expect(result.errors.utf8.count < 1 << 20)
  }

  @Test func `what a file says never gives commands, to a terminal or to a runner`() async throws {
    let scratch = try Scratch()
    let evil = #"\u001b[31m</failure>]]>\r\n::error::x\n##[add-mask]y \u202e \u0000 ' \""#
    let file = try scratch.write(
      `Reports to files`.scenario(naive: "\"holds\"").replacing("The user leaves.", with: evil), as: "a.json")
    for format in ["text", "json", "junit", "github", "html", "sarif", "summary"] {
      let result = try await Tool.run(file, "--format", format)
      #expect(result.status == 1)
      #expect(result.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F })
      #expect(!result.output.contains("##["))
      #expect(!result.output.unicodeScalars.contains("\u{202E}"))
      let commands = result.lines.filter { $0.drop { $0.isWhitespace }.hasPrefix("::") }
      #expect(commands.count == (format == "github" ? 1 : 0))
    }
    let annotated = try await Tool.run(
      try scratch.write("{ \"\u{1B}[31m%\r\n::error::x\": 1 }", as: "c.json"), "--format", "github")
    #expect(annotated.status == 2)
    #expect(annotated.lines.dropLast().allSatisfy { $0.hasPrefix("::error file=") })
    #expect(!annotated.output.contains("\u{1B}"))
    let mistake = try await Tool.run(try scratch.write("{ \"\u{1B}[31m\r\n::error::x\": 1 }", as: "b.json"))
    #expect(mistake.status == 2)
    #expect(!mistake.errors.contains("\u{1B}"))
    #expect(!mistake.errors.split(separator: "\n").contains { $0.hasPrefix("::") })
  }
}
