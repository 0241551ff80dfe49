import Testing

@testable import Scenarios

@Suite struct FuzzTests {
  /// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "...", "-", "1e999", "null", "//", "/*", "\n",
    "\r", "\u{0}",
    "\u{FEFF}", "é", "😀", "\u{202E}", "\"a\":", "[[[[[[[[", "99999999999999999999", "anytime", "0s",
  ].map { Array($0.utf8) }

  private static func mutated(_ bytes: [UInt8], _ random: inout Seeded) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let start = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: pieces.randomElement(using: &random)!, at: start)
      case 2: if start < bytes.count { bytes[start] = UInt8.random(in: 0...255, using: &random) }
      case 3:
        bytes.insert(contentsOf: bytes[start..<end], at: Int.random(in: 0...bytes.count, using: &random))
      default: bytes.removeSubrange(start...)
      }
    }
    return bytes
  }

  private func judge(_ diagnostics: Diagnostics, of bytes: [UInt8]) -> Bool {
    let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
    return !diagnostics.all.isEmpty
      && diagnostics.all.allSatisfy { $0.position.line <= lines && $0.position.column <= bytes.count + 1 }
      && !diagnostics.description.unicodeScalars.contains {
        $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}"
      }
      && zip(diagnostics.all, diagnostics.all.dropFirst()).allSatisfy { $0.position <= $1.position }
  }

  @Test(.timeLimit(.minutes(2)), arguments: 0..<8 as Range<UInt64>)
  func `no mutation of a file traps, and each error has its place in it`(seed: UInt64) {
    var random = Seeded(state: seed)
    let original = Array(ExampleFile.text.utf8)
    for _ in 0..<120 {
      let bytes = Self.mutated(original, &random)
      guard let diagnostics = ExampleFile.diagnostics(of: bytes) else { continue }
      #expect(judge(diagnostics, of: bytes), "\(String(decoding: bytes, as: UTF8.self))\n\(diagnostics)")
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `megabytes on one line take linear time`() throws {
    let script = String(repeating: #"{ "do": "refresh" }, "#, count: 20_000)
    let text = ExampleFile.with(#""script": ["#, as: #""script": [\#(script)"#).replacing("\n", with: " ")
    #expect(try ExampleFile.checked(text).scenarios.first?.script.count == 20_004)
  }

  @Test(.timeLimit(.minutes(2)))
  func `a crowd of misspelt names takes linear time`() throws {
    let lines = (0..<2_000).map { #"{ "do": "refresh", "as": "l\#($0)" }, { "cancel": "x\#($0)" }, "# }
      .joined()
    let text = ExampleFile.with(#""script": ["#, as: #""script": [\#(lines)"#)
    let diagnostics = try #require(ExampleFile.diagnostics(of: Array(text.utf8)))
    #expect(diagnostics.description.contains("1000 more errors"))
  }
}
