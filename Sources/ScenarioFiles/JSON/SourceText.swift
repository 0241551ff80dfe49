/// A file's bytes under its name, with an index from byte offsets to positions.
struct SourceText: Sendable {
  let name: String
  let bytes: [UInt8]

  private let lineStarts: [Int]
  private let scalarsBeforeBlock: [Int]

  /// A file may be one line of megabytes: counting its scalars from the start for each position asked for
  /// would take quadratic time, so the count is kept for the beginning of each block.
  private static let blockSize = 1024

  /// Reads all bytes once.
  init(_ bytes: [UInt8], named name: String) {
    self.name = name
    self.bytes = bytes
    var lineStarts = [0]
    var scalarsBeforeBlock: [Int] = []
    var scalars = 0
    for (offset, byte) in bytes.enumerated() {
      if offset.isMultiple(of: Self.blockSize) { scalarsBeforeBlock.append(scalars) }
      if !byte.isContinuation { scalars += 1 }
      if Self.endsLine(byte, before: offset + 1 < bytes.count ? bytes[offset + 1] : nil) {
        lineStarts.append(offset + 1)
      }
    }
    self.lineStarts = lineStarts
    self.scalarsBeforeBlock = scalarsBeforeBlock
  }

  /// Where the byte at `offset` stands; the end of the file is a position too.
  ///
  /// Takes logarithmic time in the number of lines.
  func position(at offset: Int) -> SourcePosition {
    let offset = min(max(offset, 0), bytes.count)
    let line = lineIndex(of: offset)
    let start = lineStarts[line]
    let column =
      offset - start < Self.blockSize
      ? scalars(in: start..<offset) : scalars(before: offset) - scalars(before: start)
    return SourcePosition(line: line + 1, column: column + 1)
  }

  private func lineIndex(of offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  private func scalars(before offset: Int) -> Int {
    guard !scalarsBeforeBlock.isEmpty else { return 0 }
    let block = min(offset / Self.blockSize, scalarsBeforeBlock.count - 1)
    return scalarsBeforeBlock[block] + scalars(in: block * Self.blockSize..<offset)
  }

  private func scalars(in range: Range<Int>) -> Int {
    bytes[range].reduce(0) { count, byte in byte.isContinuation ? count : count + 1 }
  }

  private static func endsLine(_ byte: UInt8, before next: UInt8?) -> Bool {
    byte == .lineFeed || (byte == .carriageReturn && next != .lineFeed)
  }
}

/// A place in a file, as editors count: line and column both from one, the column in Unicode scalars.
package struct SourcePosition: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    (self.line, self.column) = (line, column)
  }

  package var description: String { "\(line):\(column)" }

  package static func < (a: SourcePosition, b: SourcePosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}
