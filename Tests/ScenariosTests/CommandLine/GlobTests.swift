import Testing

@testable import Scenarios

@Suite struct GlobTests {
  @Test(arguments: [
    ("*", "", true), ("a*", "abc", true), ("*c", "abc", true), ("a?c", "abc", true), ("a?c", "ac", false),
    ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[]]", "]", true), ("[a-]", "-", true),
    ("a", "ab", false),
    ("**b*", "aabcc", true), ("a\\*", "a*", true), ("a\\*", "ab", false), ("", "", true),
  ])
  func `a pattern matches as in a shell`(pattern: String, name: String, matches: Bool) {
    #expect(Glob(pattern)?.matches(name) == matches)
  }

  @Test func `an open bracket is no pattern`() {
    #expect(Glob("[a") == nil)
    #expect(Glob("[]") == nil)
  }

  @Test(.timeLimit(.minutes(30))) func `a pattern of many stars does not take for ever`() {
    let pattern = String(repeating: "*a", count: 40) + "b"
    #expect(Glob(pattern)?.matches(String(repeating: "a", count: 200)) == false)
  }
}
