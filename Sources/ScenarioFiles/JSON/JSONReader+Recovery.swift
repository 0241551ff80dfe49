extension JSONReader {
  /// Steps over white space, and over comments, which it reports.
  mutating func skipSpace() {
    while let byte = current {
      switch byte {
      case .space, .lineFeed, .carriageReturn, .tab: step()
      case .slash where isComment: skipComment()
      default: return
      }
    }
  }

  /// Steps over what cannot be read, to the next comma or closing bracket that belongs to the open value.
  mutating func skipToNextMember() {
    while let byte = current {
      switch byte {
      case .comma, .closeBrace, .closeBracket: return
      case .openBrace, .openBracket: skipBalanced()
      case .quote: skipString()
      default: step()
      }
    }
  }

  /// Steps over a bracket and all up to the one that closes it, without calling itself.
  mutating func skipBalanced() {
    var depth = 0
    while let byte = current {
      switch byte {
      case .openBrace, .openBracket: depth += 1
      case .closeBrace, .closeBracket: depth -= 1
      case .quote:
        skipString()
        continue
      default: break
      }
      step()
      if depth <= 0 { return }
    }
  }

  private mutating func skipString() {
    step()
    while let byte = current, byte != .lineFeed, byte != .carriageReturn {
      step(byte == .backslash ? 2 : 1)
      if byte == .quote { return }
    }
  }

  private var isComment: Bool {
    let next = offset + 1 < bytes.count ? bytes[offset + 1] : nil
    return next == .slash || next == .star
  }

  private mutating func skipComment() {
    let isBlock = bytes[offset + 1] == .star
    report(.comment)
    step(2)
    while let byte = current {
      if !isBlock, byte == .lineFeed || byte == .carriageReturn { return }
      step()
      if isBlock, byte == .star, take(.slash) { return }
    }
  }
}
