extension JSONReader {
  /// Reads the string whose quote is here. One that is not closed ends with its line.
  mutating func string() -> JSONNode {
    let start = offset
    step()
    var text: [UInt8] = []
    var isReadable = true
    while let byte = current, byte != .lineFeed, byte != .carriageReturn {
      switch byte {
      case .quote:
        step()
        let value = isReadable ? JSONValue.string(String(decoding: text, as: UTF8.self)) : .unreadable
        return JSONNode(value: value, range: start..<offset)
      case .backslash:
        if let scalar = escape() { text.append(contentsOf: String(scalar).utf8) } else { isReadable = false }
      case ..<0x20:
        report(.rawControlCharacter(byte))
        isReadable = false
        step()
      default:
        text.append(byte)
        step()
      }
    }
    report(.unclosedString, at: start)
    mayHaveLostComma = true
    return JSONNode(value: .unreadable, range: start..<offset)
  }

  /// Reads the escape whose backslash is here; nil after a fault.
  private mutating func escape() -> Unicode.Scalar? {
    let start = offset
    step()
    guard let byte = current, byte != .lineFeed, byte != .carriageReturn else {
      report(.badEscape("\\"), at: start)
      return nil
    }
    if byte == UInt8(ascii: "u") { return unicodeEscape() }
    guard let scalar = Self.escapes[byte] else {
      report(.badEscape("\\" + characterHere), at: start)
      step(characterHere.utf8.count)
      return nil
    }
    step()
    return scalar
  }

  private static let escapes: [UInt8: Unicode.Scalar] = [
    .quote: "\"", .backslash: "\\", .slash: "/", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}",
    UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
  ]

  /// Reads `u` and four hexadecimal digits, and the second half when it is the first of a surrogate pair.
  private mutating func unicodeEscape() -> Unicode.Scalar? {
    let start = offset - 1
    guard let unit = codeUnit() else { return nil }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), bytes[offset...].starts(with: [.backslash, UInt8(ascii: "u")]) else {
      report(.loneSurrogate(unit), at: start)
      return nil
    }
    let afterFirst = offset
    step()
    guard let second = codeUnit() else { return nil }
    guard UTF16.isTrailSurrogate(second) else {
      report(.loneSurrogate(unit), at: start)
      offset = max(offset, afterFirst)
      return nil
    }
    return UTF16.decode(UTF16.EncodedScalar([unit, second]))
  }

  private mutating func codeUnit() -> UInt16? {
    let start = offset - 1
    step()
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = current?.hexadecimal else {
        report(
          .badEscape(String(decoding: bytes[start..<min(offset, bytes.count)], as: UTF8.self)), at: start)
        return nil
      }
      unit = unit << 4 | digit
      step()
    }
    return unit
  }
}
