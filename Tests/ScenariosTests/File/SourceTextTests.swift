import Testing

@testable import ScenarioFiles

@Suite struct SourceTextTests {
  @Test func `columns count Unicode scalars and lines end in three ways`() {
    let text = SourceText(Array("é😀x\nab\r\nc\rd".utf8), named: "t")
    #expect(text.position(at: 0) == SourcePosition(line: 1, column: 1))
    #expect(text.position(at: 6) == SourcePosition(line: 1, column: 3))
    #expect(text.position(at: 8) == SourcePosition(line: 2, column: 1))
    #expect(text.position(at: 12) == SourcePosition(line: 3, column: 1))
    #expect(text.position(at: 14) == SourcePosition(line: 4, column: 1))
  }

  @Test func `positions agree with a count from the start, across blocks`() {
    let line = String(repeating: "aé😀", count: 700)
    let bytes = Array("\(line)\n\(line)".utf8)
    let text = SourceText(bytes, named: "t")
    for offset in stride(from: 0, through: bytes.count, by: 97) {
      let before = bytes[..<offset]
      let start = (before.lastIndex(of: 0x0A) ?? -1) + 1
      let column = bytes[start..<offset].filter { !$0.isContinuation }.count + 1
      #expect(text.position(at: offset).column == column)
    }
  }

  @Test func `the end of a file is a position, and nothing lies outside`() {
    let text = SourceText(Array("ab\n".utf8), named: "t")
    #expect(text.position(at: 3) == SourcePosition(line: 2, column: 1))
    #expect(text.position(at: 99) == SourcePosition(line: 2, column: 1))
    #expect(SourceText([], named: "t").position(at: 0) == SourcePosition(line: 1, column: 1))
  }
}
