import Testing

@testable import PlanCheck

struct SourceTextTests {
  @Test(
    arguments: [
      ("a // b", "a     ", "  // b"),
      ("a /* b /* c */ d */ e", "a                   e", "  /* b /* c */ d */  "),
      (#"a "{ // b" c"#, "a          c", "            "),
      (#"a "\"{" c"#, "a       c", "         "),
      (#"a "\(b + "{")" c"#, "a   (b +    )  c", "                "),
      (##"a #"\({"# c"##, "a         c", "           "),
      (##"a #"\#(b)"# c"##, "a     (b)   c", "             "),
      ("a \"\"\"\n\"{\"\n\"\"\" c", "a    \n   \n    c", "     \n   \n     "),
      ("f(/[{\\/]/, g)", "f(       , g)", "             "),
      ("a / b / c", "a / b / c", "         "),
    ])
  func `strings are neither code nor comments in Swift`(text: String, code: String, comments: String) {
    let parts = SourceText(text, .swift)
    #expect(String(decoding: parts.code, as: UTF8.self) == code)
    #expect(String(decoding: parts.comments, as: UTF8.self) == comments)
  }

  @Test(
    arguments: [
      ("a /* b /* c */ d", "a              d"),
      ("f('{', '\\'', \"{\\\"\")", "f(   ,     ,      )"),
      ("#define A {\\\n {\nb", "            \n  \nb"),
    ])
  func `character literals and macros are no code in C`(text: String, code: String) {
    #expect(String(decoding: SourceText(text, .c).code, as: UTF8.self) == code)
  }
}
