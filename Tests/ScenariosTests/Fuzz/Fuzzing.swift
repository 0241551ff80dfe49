import Foundation
import Simulator
import SimulatorStrategies
import TestEffort

/// How much hostile input is tried.
enum Fuzzing {
  /// So many times as many as in an ordinary run; `FUZZ_ROUNDS=100` takes minutes.
  static let rounds = ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap(Int.init) ?? 1

  static let seeds = 0..<UInt64(8 * rounds)
  /// Of tests that play what they have made: fewer, but in the later step of `.ci/run` that tries all.
  static let seedsToPlay =
    triesMore || rounds > 1 ? seeds : 0..<2

  /// Text that files are made of, and some that they are not.
  static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "...", "-", "1e999", "null", "//", "/*", "\n",
    "\r", "\u{0}", "\u{FEFF}", "é", "😀", "\u{202E}", "\"a\":", "[[[[[[[[", "99999999999999999999", "anytime",
    "0s", "everywhere", "1ns...365d", "\"replays\": {", "debug/0:1/2#00000000", "\"include\": [\"../x\"],",
    "18446744073709551615", "-9223372036854775808", "holds", String(repeating: "9", count: 500),
    String(repeating: "[", count: 100),
  ].map { Array($0.utf8) }

  /// The bytes with a few of them lost, doubled, changed, or others between them.
  static func mutated(_ bytes: [UInt8], _ random: inout Strategies.SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let start = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: start)
      case 2: if start < bytes.count { bytes[start] = UInt8.random(in: 0...255, using: &random) }
      case 3:
        bytes.insert(contentsOf: bytes[start..<end], at: Int.random(in: 0...bytes.count, using: &random))
      case 4: bytes.swapWords(near: start, and: Int.random(in: 0...bytes.count, using: &random))
      default: bytes.removeSubrange(start...)
      }
    }
    return bytes
  }
}

extension [UInt8] {
  /// Swaps the quoted words that begin after two places: still JSON, and mostly another meaning.
  fileprivate mutating func swapWords(near first: Int, and second: Int) {
    let (low, high) = (Swift.min(first, second), Swift.max(first, second))
    guard let one = word(after: low), let other = word(after: high), one.upperBound <= other.lowerBound else {
      return
    }
    let (a, b) = (Array(self[one]), Array(self[other]))
    replaceSubrange(other, with: a)
    replaceSubrange(one, with: b)
  }

  private func word(after place: Int) -> Range<Int>? {
    let quote = UInt8(ascii: "\"")
    guard let start = self[place...].firstIndex(of: quote),
      let end = self[(start + 1)...].firstIndex(of: quote)
    else { return nil }
    return start..<end + 1
  }
}
