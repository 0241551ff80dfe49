/// A word or a sign of source code.
struct Token {
  let text: String
  let line: Int
  let column: Int

  /// The words (with a leading `@`, if there is one) and signs of code; a line break is a token too.
  static func all(in code: [UInt8]) -> [Token] {
    var tokens: [Token] = []
    var line = 1
    var lineStart = 0
    var at = 0
    while at < code.count {
      let start = at
      at += 1
      if code[start].isWord || code[start] == UInt8(ascii: "@") {
        while at < code.count, code[at].isWord { at += 1 }
      }
      if code[start] != UInt8(ascii: " ") {
        tokens.append(
          Token(
            text: String(decoding: code[start..<at], as: UTF8.self), line: line, column: start - lineStart + 1
          ))
      }
      if code[start] == UInt8(ascii: "\n") {
        line += 1
        lineStart = at
      }
    }
    return tokens
  }
}

extension UInt8 {
  /// Letters of other scripts count as parts of words.
  fileprivate var isWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
