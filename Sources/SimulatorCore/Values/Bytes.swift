/// A value that processes of one build send to each other as bytes.
protocol Packed {
  func pack(into bytes: inout ByteWriter)
  init(from bytes: inout ByteReader) throws(BrokenBytes)
}

/// The bytes are not what a ``ByteWriter`` has written.
struct BrokenBytes: Error {}

/// Writes values one after another: numbers in as few bytes as they need, and each different text once.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []
  private var texts: [String: Int] = [:]

  mutating func put(_ value: some Packed) { value.pack(into: &self) }

  /// Writes several values.
  mutating func put<First: Packed, Second: Packed, each Other: Packed>(
    _ first: First, _ second: Second, _ others: repeat each Other
  ) {
    put(first)
    put(second)
    repeat put(each others)
  }

  fileprivate mutating func append(_ byte: UInt8) { bytes.append(byte) }

  fileprivate mutating func append(_ text: String) {
    if let known = texts[text] { return put(known) }
    put(texts.count)
    texts[text] = texts.count
    put(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }
}

/// Reads what a ``ByteWriter`` has written. It refuses everything else, and never traps.
struct ByteReader {
  private let bytes: [UInt8]
  private var offset = 0
  private var texts: [String] = []
  private var depth = 0
  private static let deepest = 512

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Reads the value that is everything.
  mutating func only<Value: Packed>() throws(BrokenBytes) -> Value {
    let value: Value = try next()
    guard offset == bytes.count else { throw BrokenBytes() }
    return value
  }

  mutating func next<Value: Packed>() throws(BrokenBytes) -> Value {
    depth += 1
    guard depth <= Self.deepest else { throw BrokenBytes() }
    let value = try Value(from: &self)
    depth -= 1
    return value
  }

  /// Reads a number of things, each of which takes a byte or more.
  mutating func count() throws(BrokenBytes) -> Int {
    let count: Int = try next()
    guard (0...bytes.count - offset).contains(count) else { throw BrokenBytes() }
    return count
  }

  fileprivate mutating func byte() throws(BrokenBytes) -> UInt8 {
    guard offset < bytes.count else { throw BrokenBytes() }
    offset += 1
    return bytes[offset - 1]
  }

  fileprivate mutating func text() throws(BrokenBytes) -> String {
    let index: Int = try next()
    if texts.indices.contains(index) { return texts[index] }
    let count = try count()
    guard index == texts.count else { throw BrokenBytes() }
    texts.append(String(decoding: bytes[offset..<offset + count], as: UTF8.self))
    offset += count
    return texts[index]
  }
}

// MARK: - Plain values

/// A number is LEB128, whose lowest bit is the sign.
extension Packed where Self: FixedWidthInteger {
  func pack(into bytes: inout ByteWriter) {
    let number = Int64(truncatingIfNeeded: self)
    var bits = UInt64(bitPattern: number << 1 ^ number >> 63)
    while bits >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: bits) | 0x80)
      bits >>= 7
    }
    bytes.append(UInt8(bits))
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    var (bits, shift): (UInt64, UInt64) = (0, 0)
    var byte = try bytes.byte()
    while byte >= 0x80 {
      bits |= UInt64(byte & 0x7f) << shift
      shift += 7
      byte = try bytes.byte()
      guard shift < 63 || shift == 63 && byte < 2 else { throw BrokenBytes() }
    }
    bits |= UInt64(byte) << shift
    self.init(truncatingIfNeeded: Int64(bitPattern: bits >> 1) ^ -Int64(bits & 1))
  }
}

extension Int: Packed {}
extension Int64: Packed {}
extension UInt: Packed {}
extension UInt64: Packed {}
extension UInt8: Packed {}

extension Bool: Packed {
  func pack(into bytes: inout ByteWriter) { bytes.append(self ? 1 : 0) }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    let byte = try bytes.byte()
    guard byte < 2 else { throw BrokenBytes() }
    self = byte == 1
  }
}

extension String: Packed {
  func pack(into bytes: inout ByteWriter) { bytes.append(self) }
  init(from bytes: inout ByteReader) throws(BrokenBytes) { self = try bytes.text() }
}

extension Array: Packed where Element: Packed {
  func pack(into bytes: inout ByteWriter) {
    bytes.put(count)
    for element in self { bytes.put(element) }
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    self = []
    for _ in 0..<(try bytes.count()) { append(try bytes.next()) }
  }
}

extension Optional: Packed where Wrapped: Packed {
  func pack(into bytes: inout ByteWriter) {
    if case .some = self { bytes.put(true) } else { bytes.put(false) }
    if let self { bytes.put(self) }
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    self = try bytes.next() as Bool ? try bytes.next() as Wrapped : nil
  }
}
