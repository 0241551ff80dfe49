/// Reads JSON (RFC 8259) into a tree that knows where each value stands.
///
/// It never traps, calls itself at most `limits.depth` deep, takes linear time, and after a fault goes on
/// where that makes sense, so that a file gets all its faults at once.
package struct JSONReader {
  let bytes: [UInt8]
  let limits: JSONLimits
  var offset = 0
  var faults: [LocatedJSONFault] = []
  /// After a string without its end, a comma may have gone with it.
  var mayHaveLostComma = false
  /// The brackets that are open, to distinguish a wrong closing bracket from a missing one.
  var open: [UInt8] = []

  /// Reads a whole text.
  package static func read(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONDocument {
    guard bytes.count <= limits.bytes else { return .refused(.tooLarge(limit: limits.bytes)) }
    guard !looksLikeUTF16(bytes) else { return .refused(.utf16) }
    var reader = JSONReader(bytes: bytes, limits: limits)
    let root = reader.document()
    return JSONDocument(root: root, faults: reader.faults)
  }

  private mutating func document() -> JSONNode? {
    checkEncoding()
    skipByteOrderMark()
    skipSpace()
    guard !isAtEnd else {
      if faults.allSatisfy({ $0.fault == .byteOrderMark }) { report(.empty, at: 0) }
      return nil
    }
    let root = value()
    skipSpace()
    if !isAtEnd { report(.trailing(characterHere)) }
    return root
  }

  /// Reads the value that begins here; every other kind of value has a method of its own.
  mutating func value() -> JSONNode {
    skipSpace()
    guard let byte = current else { return missingValue(.unexpectedEnd(expected: "a value")) }
    switch byte {
    case .openBrace: return object()
    case .openBracket: return array()
    case .quote: return string()
    case _ where byte.isDigit || byte == .minus: return number()
    case _ where byte.isLetter: return word()
    case .comma, .colon, .closeBrace, .closeBracket:
      return missingValue(.unexpected(found: characterHere, expected: "a value"))
    default:
      let node = missingValue(.unexpected(found: characterHere, expected: "a value"))
      skipToNextMember()
      return node
    }
  }

  private mutating func missingValue(_ fault: JSONFault) -> JSONNode {
    report(fault)
    return JSONNode(value: .unreadable, range: offset..<offset)
  }
}

// MARK: - Where the reader is

extension JSONReader {
  var isAtEnd: Bool { offset >= bytes.count }

  var current: UInt8? { isAtEnd ? nil : bytes[offset] }

  /// Steps over `byte` if it stands here.
  mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    step()
    return true
  }

  /// Goes on by `count` bytes, never past the end.
  mutating func step(_ count: Int = 1) {
    offset = min(offset + count, bytes.count)
  }

  /// Notes a fault here or at `place`, one for each place. When there are too many, the reader jumps to the
  /// end.
  mutating func report(_ fault: JSONFault, at place: Int? = nil) {
    guard faults.count < limits.faults, faults.last?.offset != place ?? offset else { return }
    faults.append(LocatedJSONFault(fault: fault, offset: place ?? offset))
    guard faults.count == limits.faults else { return }
    faults.append(LocatedJSONFault(fault: .gaveUp, offset: place ?? offset))
    offset = bytes.count
  }

  /// The character here, as it stands in the file.
  var characterHere: String {
    let rest = bytes[offset..<min(offset + 4, bytes.count)]
    return String(decoding: rest, as: UTF8.self).unicodeScalars.first.map { String($0) } ?? ""
  }
}
