/// A hash that distinguishes contents, the same way in every process. Not for secrets.
package struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
  package private(set) var value = Digest.seed

  /// Creates the fingerprint of nothing yet.
  package init() {}

  /// Creates the fingerprint of one text.
  package init(of text: String) { add(text) }

  /// Adds a text.
  package mutating func add(_ text: String) { value = Digest.mix(value, text) }

  /// Adds bytes. The same bytes in two pieces give another fingerprint, unless all pieces but the last have a multiple
  /// of eight bytes.
  package mutating func add(_ bytes: [UInt8]) {
    var word: UInt64 = 0
    var count = 0
    for byte in bytes {
      word = word << 8 | UInt64(byte)
      count += 1
      if count & 7 == 0 { value = Digest.mix(value, word) }
    }
    if count & 7 != 0 { value = Digest.mix(value, word) }
    value = Digest.mix(value, UInt64(count))
  }

  /// Sixteen hexadecimal digits.
  package var description: String { value.hexadecimal }
}

extension UInt64 {
  /// Sixteen hexadecimal digits.
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
