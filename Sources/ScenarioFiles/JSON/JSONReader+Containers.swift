extension JSONReader {
  /// Reads the object whose brace is here.
  mutating func object() -> JSONNode {
    guard let start = enter(.openBrace) else { return skippedValue() }
    var object = JSONObject()
    var names: Set<String> = []
    repeat {
      if closesHere(.closeBrace) { break }
      guard let member = member() else {
        object.isWhole = false
        continue
      }
      if names.insert(member.key.name).inserted {
        object.members.append(member)
      } else {
        report(.duplicateKey(member.key.name), at: member.key.range.lowerBound)
      }
    } while goesOn(until: .closeBrace, whole: &object.isWhole)
    leave(.closeBrace, openedAt: start, whole: &object.isWhole)
    return JSONNode(value: .object(object), range: start..<offset)
  }

  /// Reads the list whose bracket is here.
  mutating func array() -> JSONNode {
    guard let start = enter(.openBracket) else { return skippedValue() }
    var array = JSONArray()
    repeat {
      if closesHere(.closeBracket) { break }
      let element = value()
      array.elements.append(element)
      if element.value == .unreadable { array.isWhole = false }
    } while goesOn(until: .closeBracket, whole: &array.isWhole)
    leave(.closeBracket, openedAt: start, whole: &array.isWhole)
    return JSONNode(value: .array(array), range: start..<offset)
  }

  /// Reads `"key": value`. Nil when even the key cannot be read; then the reader stands after what it
  /// skipped.
  private mutating func member() -> JSONMember? {
    guard current == .quote else {
      report(.unquotedKey(characterHere))
      skipToNextMember()
      return nil
    }
    let key = string()
    guard case .string(let name) = key.value else {
      skipToNextMember()
      return nil
    }
    skipSpace()
    if !take(.colon) { report(isAtEnd ? .unexpectedEnd(expected: "\":\"") : missingColon) }
    return JSONMember(key: JSONKey(name: name, range: key.range), value: value())
  }

  private var missingColon: JSONFault {
    .unexpected(found: characterHere, expected: "\":\" and the key's value")
  }
}

// MARK: - Brackets and commas

extension JSONReader {
  /// Steps over an opening bracket, unless it is one too deep.
  private mutating func enter(_ bracket: UInt8) -> Int? {
    guard open.count < limits.depth else { return nil }
    open.append(bracket)
    step()
    return offset - 1
  }

  private mutating func skippedValue() -> JSONNode {
    let start = offset
    report(.tooDeep(limit: limits.depth))
    skipBalanced()
    return JSONNode(value: .unreadable, range: start..<offset)
  }

  private mutating func closesHere(_ close: UInt8) -> Bool {
    skipSpace()
    return isAtEnd || current == close
  }

  /// Looks for the comma that leads to the next member. A missing one is reported and taken as read.
  private mutating func goesOn(until close: UInt8, whole: inout Bool) -> Bool {
    skipSpace()
    let needsComma = !mayHaveLostComma
    mayHaveLostComma = false
    let comma = offset
    if take(.comma) {
      skipSpace()
      if current == close { report(.extraComma, at: comma) }
      return true
    }
    guard let byte = current, byte != close else { return false }
    if beginsMember(byte, until: close) {
      if needsComma { report(.missingComma) }
      return true
    }
    report(
      .unexpected(found: characterHere, expected: close == .closeBrace ? "\",\" or \"}\"" : "\",\" or \"]\""))
    whole = false
    if byte == .closeBrace || byte == .closeBracket { return skipWrongClose(byte) }
    step(characterHere.utf8.count)
    skipToNextMember()
    return current == .comma ? goesOn(until: close, whole: &whole) : current != nil && current != close
  }

  private func beginsMember(_ byte: UInt8, until close: UInt8) -> Bool {
    if byte == .quote { return true }
    guard close == .closeBracket else { return false }
    return byte == .openBrace || byte == .openBracket || byte.isDigit || byte == .minus || byte.isLetter
  }

  /// A wrong closing bracket ends this value if an outer one waits for it; otherwise it is stepped over.
  private mutating func skipWrongClose(_ byte: UInt8) -> Bool {
    let opening: UInt8 = byte == .closeBrace ? .openBrace : .openBracket
    if open.dropLast().contains(opening) { return false }
    step()
    return !isAtEnd
  }

  private mutating func leave(_ close: UInt8, openedAt start: Int, whole: inout Bool) {
    let bracket = open.removeLast()
    if take(close) { return }
    whole = false
    if isAtEnd { report(.unclosed(bracket == .openBrace ? "{" : "["), at: start) }
  }
}
