/// A function with its place and how many lines it takes, signature and braces included.
struct FunctionLength {
  let name: String
  let line: Int
  let lines: Int

  /// The functions of a file: those that are named, initializers, computed properties and subscripts.
  static func all(in text: SourceText, _ language: SourceText.Language) -> [FunctionLength] {
    let tokens = Token.all(in: text.code)
    switch language {
    case .swift: return tokens.indices.compactMap { swiftFunction(tokens, at: $0) }
    case .c: return outermostBraces(tokens).compactMap { cFunction(tokens, at: $0) }
    }
  }

  // MARK: Swift

  private static func swiftFunction(_ tokens: [Token], at start: Int) -> FunctionLength? {
    let keyword = tokens[start].text
    guard ["func", "init", "deinit", "subscript", "var"].contains(keyword),
      start == 0 || tokens[start - 1].text != ".", start + 1 < tokens.count,
      let body = body(tokens, after: start, isProperty: keyword == "var")
    else { return nil }
    let name = keyword == "func" || keyword == "var" ? tokens[start + 1].text : keyword
    return FunctionLength(
      name: name, line: tokens[start].line, lines: tokens[end(tokens, of: body)].line - tokens[start].line + 1
    )
  }

  /// The brace that opens the body of what begins at a token, if it has one.
  private static func body(_ tokens: [Token], after start: Int, isProperty: Bool) -> Int? {
    var depth = 0
    for index in tokens.indices[(start + 1)...] {
      switch tokens[index].text {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "{" where depth == 0: return index
      case _ where depth > 0: continue
      case "}", "func", "var", "let", "subscript", "init", "case", "struct", "enum", "protocol",
        "associatedtype":
        return nil
      case "=" where isProperty && !isOperator(tokens, at: index): return nil
      case _ where isProperty && tokens[index].text.first?.isNewline == true: return nil
      default: continue
      }
      if depth < 0 { return nil }
    }
    return nil
  }

  /// Whether a `=` is part of `==`.
  private static func isOperator(_ tokens: [Token], at index: Int) -> Bool {
    tokens[index - 1].text == "=" || index + 1 < tokens.count && tokens[index + 1].text == "="
  }

  /// The brace that closes what a brace opens.
  private static func end(_ tokens: [Token], of body: Int) -> Int {
    var depth = 0
    for index in tokens.indices[body...] {
      if tokens[index].text == "{" { depth += 1 }
      if tokens[index].text == "}" { depth -= 1 }
      if depth == 0 { return index }
    }
    return tokens.endIndex - 1
  }

  // MARK: C

  private static func outermostBraces(_ tokens: [Token]) -> [Int] {
    var depth = 0
    return tokens.indices.filter { index in
      switch tokens[index].text {
      case "{":
        depth += 1
        return depth == 1
      case "}":
        depth -= 1
        return false
      default: return false
      }
    }
  }

  /// The function whose body a brace opens, if it stands behind a parenthesis.
  private static func cFunction(_ tokens: [Token], at body: Int) -> FunctionLength? {
    guard tokens[..<body].last(where: { !$0.isNewline })?.text == ")" else { return nil }
    let start = tokens[..<body].lastIndex { $0.text == ";" || $0.text == "}" }.map { $0 + 1 } ?? 0
    let head = tokens[start..<body].filter { !$0.isNewline }
    guard let first = head.first else { return nil }
    // The name stands in front of the first parenthesis that no attribute opens.
    let opening = head.indices.dropFirst().first {
      head[$0].text == "(" && !head[$0 - 1].text.hasPrefix("__") && head[$0 - 1].text != "("
    }
    return FunctionLength(
      name: opening.map { head[$0 - 1].text } ?? "?", line: first.line,
      lines: tokens[end(tokens, of: body)].line - first.line + 1)
  }
}

extension Token {
  fileprivate var isNewline: Bool { text.first?.isNewline == true }
}
