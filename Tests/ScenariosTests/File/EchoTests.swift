import Simulator
import Testing

@testable import ScenarioFiles

@Suite struct EchoTests {
  @Test func `what could move a cursor or turn the writing is spelled out`() {
    #expect(
      Echo.quoted("a\u{1B}[31m\n\u{202E}\u{200B}\u{7F}\u{9B}")
        == #""a\u{1b}[31m\n\u{202e}\u{200b}\u{7f}\u{9b}""#)
    #expect(Echo.quoted("\u{2028}\u{E000}\u{A0}") == #""\u{2028}\u{e000}\u{a0}""#)
  }

  @Test func `an escape in the file cannot be mistaken for one of ours`() {
    #expect(Echo.quoted(#"\u{1b}""#) == #""\\u{1b}\"""#)
  }

  @Test func `long strings are cut`() {
    #expect(
      Echo.quoted(String(repeating: "a", count: 61)) == "\"" + String(repeating: "a", count: 60) + "…\"")
    #expect(Echo.list((1...62).map(String.init)).hasSuffix("and 2 more"))
  }

  @Test func `letters of any language stay as they are`() {
    #expect(Echo.quoted("größe 日本 😀") == "\"größe 日本 😀\"")
  }
}

@Suite struct NearestNameTests {
  @Test(arguments: [("inbox-refesh", "inbox-refresh"), ("COUNTER", "counter"), ("conuter", "counter")])
  func `a slip is recognized`(found: String, meant: String) {
    #expect(NearestName.of(found, in: ["counter", "inbox-refresh"]) == meant)
  }

  @Test func `what is far from everything is not guessed at`() {
    #expect(NearestName.of("banana", in: ["counter", "inbox-refresh"]) == nil)
    #expect(NearestName.of(String(repeating: "x", count: 1_000_000), in: ["counter"]) == nil)
  }

  @Test func `a swap of neighbors is one slip`() {
    #expect(NearestName.slips(from: "ab", to: "ba") == 1)
    #expect(NearestName.slips(from: "kitten", to: "sitting") == 3)
    #expect(NearestName.slips(from: "", to: "abc") == 3)
  }
}
