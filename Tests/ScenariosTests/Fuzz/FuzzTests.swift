import Simulator
import SimulatorStrategies
import TestEffort
import Testing

@testable import ScenarioFiles

@Suite struct FuzzTests {
  private func judge(_ diagnostics: Diagnostics, of bytes: [UInt8]) -> Bool {
    let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
    return !diagnostics.all.isEmpty
      && diagnostics.all.allSatisfy { $0.position.line <= lines && $0.position.column <= bytes.count + 1 }
      && !diagnostics.description.unicodeScalars.contains {
        $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}"
      }
      && zip(diagnostics.all, diagnostics.all.dropFirst()).allSatisfy { $0.position <= $1.position }
  }

  @Test(.timeLimit(.minutes(30)), arguments: Fuzzing.seeds)
  func `no mutation of a file traps, and each error has its place in it`(seed: UInt64) {
    var random = Strategies.SplitMix64(state: seed)
    let original = Array(ExampleFile.text.utf8)
    for _ in 0..<120 {
      let bytes = Fuzzing.mutated(original, &random)
      guard let diagnostics = ExampleFile.diagnostics(of: bytes) else { continue }
      #expect(judge(diagnostics, of: bytes), "\(String(decoding: bytes, as: UTF8.self))\n\(diagnostics)")
    }
  }

  @Test(.timeLimit(.minutes(30)))
  func `megabytes on one line take linear time`() throws {
    let script = String(repeating: #"{ "do": "refresh" }, "#, count: 20_000)
    let text = ExampleFile.with(#""script": ["#, as: #""script": [\#(script)"#).replacing("\n", with: " ")
    #expect(try ExampleFile.checked(text).scenarios.first?.script.count == 20_004)
  }

  @Test(.timeLimit(.minutes(30)))
  func `a crowd of misspelled names takes linear time`() throws {
    let count = tries(1_050, all: 2_000)
    let lines = (0..<count).map { #"{ "do": "refresh", "as": "l\#($0)" }, { "cancel": "x\#($0)" }, "# }
      .joined()
    let text = ExampleFile.with(#""script": ["#, as: #""script": [\#(lines)"#)
    let diagnostics = try #require(ExampleFile.diagnostics(of: Array(text.utf8)))
    #expect(diagnostics.description.contains("\(count - 1_000) more errors"))
  }
}
