/// Hashes what happens, the same way in every process: no addresses, no seeds.
///
/// Multiplies and folds over 64-bit words; hashes strings by FNV-1a. Not for secrets.
package enum Digest {
  package static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15

  @inline(__always)
  package static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let (high, low) = (state ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return high ^ low &+ 0xE703_7ED1_A0B4_28DB
  }

  package static func mix(_ state: UInt64, _ text: String) -> UInt64 {
    var words = Words()
    words.add(text)
    return mix(state, words.hash)
  }

  /// The hash of a text that is given in parts and never put together.
  struct Words {
    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) {
      let bytes = text.utf8Span.span
      for index in bytes.indices { hash = Self.adding(hash, bytes[index]) }
    }

    /// Adds the decimal digits of the number, with its sign.
    mutating func add(_ number: Int) {
      if number < 0 { hash = Self.adding(hash, UInt8(ascii: "-")) }
      var divisor: UInt = 1
      while number.magnitude / divisor > 9 { divisor *= 10 }
      while divisor > 0 {
        hash = Self.adding(hash, UInt8(ascii: "0") + UInt8(number.magnitude / divisor % 10))
        divisor /= 10
      }
    }

    @inline(__always)
    private static func adding(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
  }

  /// Returns the hash of a task's path, equal in every execution: the task is the `ordinal`-th child, from 1, of the
  /// task whose path is `parent`, which is nil for a task that no task has made.
  @inline(__always)
  package static func path(parent: UInt64?, ordinal: Int) -> UInt64 { mix(parent ?? seed, UInt64(ordinal)) }
}
