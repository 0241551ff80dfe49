extension JSONReader {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Reports each run of bytes that is no UTF-8. Strings are decoded with a replacement there.
  mutating func checkEncoding() {
    var start = 0
    while start < bytes.count, let broken = brokenBytes(from: start) {
      report(.brokenUTF8, at: broken.lowerBound)
      start = max(broken.upperBound, start + 1)
      if faults.count > limits.faults { return }
    }
  }

  mutating func skipByteOrderMark() {
    guard bytes.starts(with: Self.byteOrderMark) else { return }
    report(.byteOrderMark, at: 0)
    offset = max(offset, Self.byteOrderMark.count)
  }

  /// Nothing that a scenario file can begin with has a zero among its first two bytes.
  static func looksLikeUTF16(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(2).contains(0)
  }

  private func brokenBytes(from start: Int) -> Range<Int>? {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span.extracting(start...))
      return nil
    } catch {
      return start + error.byteOffsets.lowerBound..<start + error.byteOffsets.upperBound
    }
  }
}

extension JSONDocument {
  /// A text of which nothing was read.
  static func refused(_ fault: JSONFault) -> JSONDocument {
    JSONDocument(root: nil, faults: [LocatedJSONFault(fault: fault, offset: 0)])
  }
}
