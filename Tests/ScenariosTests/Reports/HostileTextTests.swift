import SimulatorReports
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// Texts that want to be more than text, in every place of a report.
@Suite struct HostileTextTests {
  static let texts = [
    "\u{1B}[31mred", "\u{1B}]0;title\u{7}", "</failure></testcase><testcase name='x'/>", "]]>", "&lt;&#0;",
    "\n::error::taken", "\r\n::set-env name=PATH::/tmp", "  ::stop-commands::x", "##[add-mask]x", "::", ":::",
    "\n\t::add-mask::x", "\u{0}", "\u{202E}txet", "\u{2028}::error::x", "\u{FEFF}", "\u{FFFE}\u{FFFF}",
    "\u{85}x",
    "\u{9B}31m", "\"'<>&", "\\u001b", "%0A::error::x", "a,b:c=d", ",\u{301}line=9", "%\u{301}", "é😀", "",
    "\u{301}::\u{301}x",
  ]

  private static func rendered(_ text: String, _ format: ReportFormat) -> [String] {
    [true, false].map { format.render(SampleReport.full(of: text, isStrict: $0)) }
  }

  /// As the runner of GitHub Actions reads a line: trimmed, commands begin with two colons; in the old form
  /// they stand anywhere.
  private static func isCommand(_ line: Substring.UnicodeScalarView) -> Bool {
    let trimmed = line.drop { $0.properties.isWhitespace }
    return trimmed.starts(with: "::".unicodeScalars)
      || String(line).unicodeScalars.split(separator: "#", omittingEmptySubsequences: false).dropFirst(2)
        .contains { $0.first == "[" }
  }

  private static func commands(in text: String) -> [String] {
    text.unicodeScalars.split { $0.properties.generalCategory == .control || $0 == "\u{2028}" }
      .filter(isCommand).map { String($0) }
  }

  @Test(arguments: texts, ReportFormat.all)
  func `nothing in a report moves a cursor or turns the writing direction`(
    text: String, format: ReportFormat
  ) {
    for output in Self.rendered(text, format) {
      let bad = output.unicodeScalars.filter { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: scalar != "\n"
        default: false
        }
      }
      #expect(bad.isEmpty)
    }
  }

  @Test(arguments: texts)
  func `a report is well-formed XML of the same shape, for every text in it`(text: String) throws {
    for output in Self.rendered(text, .junit) {
      let root = try #require(XMLTree.root(of: output), "\(output)")
      #expect(JUnitTests.faults(in: root) == [])
    }
  }

  @Test(arguments: texts.filter { !$0.isEmpty })
  func `a page has the same elements and attributes, for every text in it`(text: String) throws {
    let plain = try #require(XMLTree.root(of: Self.rendered("plain", .html)[0])).shape
    for output in Self.rendered(text, .html) {
      #expect(try #require(XMLTree.root(of: output), "\(output)").shape == plain)
    }
  }

  @Test(arguments: texts)
  func `what a page's script reads is JSON, and ends no element, for every text in it`(text: String) throws {
    for output in Self.rendered(text, .html) {
      let details = try PageTests.details(of: output)
      #expect(details["places"] != nil)
    }
  }

  @Test(arguments: texts)
  func `a report is valid JSON, for every text in it`(text: String) throws {
    let schema = try JSONSchema(RunReport.schema)
    for output in Self.rendered(text, .json) { #expect(try schema.faults(in: output) == []) }
  }

  @Test(arguments: texts)
  func `a report is valid SARIF, for every text in it`(text: String) throws {
    for output in Self.rendered(text, .sarif) { #expect(try SARIFTests.faults(in: output) == []) }
  }

  @Test(arguments: texts, [ReportFormat.text, .json, .junit, .html, .sarif, .summary])
  func `nothing in a report is a command to a runner of workflows`(text: String, format: ReportFormat) {
    for output in Self.rendered(text, format) {
      #expect(Self.commands(in: output) == [])
    }
  }

  @Test(arguments: texts)
  func `annotations are the only commands, each on a line of its own`(text: String) {
    for output in Self.rendered(text, .github) {
      let commands = Self.commands(in: output)
      #expect(
        commands.allSatisfy { command in
          ["::error file=", "::warning file="].contains { command.utf8.starts(with: $0.utf8) }
        },
        "\(commands)")
      #expect(commands.count == output.split(separator: "\n").count - 2)
    }
  }

  @Test func `a spoilt line is no command, and other lines stay as they are`() {
    #expect(WorkflowCommands.spoilt("a ::b\n::c") == "a ::b\n:\\u{3a}c")
    #expect(WorkflowCommands.spoilt("\t :::") == "\t :\\u{3a}:")
    #expect(WorkflowCommands.spoilt("x ##[y] #[z]") == "x ##\\u{5b}y] #[z]")
    #expect(Self.commands(in: "::a\n ::b\nc ##[d]\n::").count == 4)
  }

  @Test func `a replay line quotes a file's name as a shell undoes it`() {
    #expect(
      SampleReport.full(of: "a\n'b").scenarios[0].variants[0].violations[0].replayCommand
        .contains(#"replay $'a\x0a\x27b' scenario"#))
  }
}
