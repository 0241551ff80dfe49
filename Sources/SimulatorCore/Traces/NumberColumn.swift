internal import FoundationEssentials

/// Numbers in a form that JSON reads and writes quickly: the difference of each to the one before, as LEB128, all in
/// one string.
struct NumberColumn: Codable {
  let numbers: [Int64]

  init(_ numbers: some Sequence<some BinaryInteger>) {
    self.numbers = numbers.map { Int64(truncatingIfNeeded: $0) }
  }

  var integers: [Int] { numbers.map(Int.init) }

  init(from decoder: any Decoder) throws {
    var numbers: [Int64] = []
    var (number, bits, shift): (Int64, UInt64, UInt64) = (0, 0, 0)
    for byte in try decoder.singleValueContainer().decode(Data.self) {
      bits |= UInt64(byte & 0x7f) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      // The lowest bit is the sign.
      number &+= Int64(bitPattern: bits >> 1) ^ -Int64(bits & 1)
      numbers.append(number)
      (bits, shift) = (0, 0)
    }
    guard shift == 0 else { throw BrokenColumns() }
    self.numbers = numbers
  }

  func encode(to encoder: any Encoder) throws {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count)
    var last: Int64 = 0
    for number in numbers {
      let step = number &- last
      last = number
      var bits = UInt64(bitPattern: step << 1 ^ step >> 63)
      while bits >= 0x80 {
        bytes.append(UInt8(bits & 0x7f) | 0x80)
        bits >>= 7
      }
      bytes.append(UInt8(bits))
    }
    var container = encoder.singleValueContainer()
    try container.encode(Data(bytes))
  }
}

/// Columns whose lengths do not agree, or that break off: nothing that a trace has written.
struct BrokenColumns: Error {}
