internal import CConcurrencyHooks
internal import Glibc

/// The facts about a function's home that its mangled name holds.
///
/// `$s4Game10FakeServerC4saveyyYaF` is `Game.FakeServer.save()`: an identifier for the module, then one for each type
/// around the function, each followed by the letter of its kind.
package struct MangledName {
  /// The module that declares the function; nil if the name is not a Swift name.
  package let module: String?
  /// The mangled name of the innermost type around it; nil if there is none.
  package let typeName: String?

  package init(_ name: String) {
    guard name.hasPrefix("$s") else {
      (module, typeName) = (nil, nil)
      return
    }
    var scanner = Scanner(name.dropFirst(2))
    let first = scanner.identifier()
    var typeEnd: Substring.Index?
    var rest = scanner
    while rest.identifier() != nil {
      var isPrivate = rest
      if isPrivate.identifier() != nil, isPrivate.skip("LL") { rest = isPrivate }
      guard rest.skip("C") || rest.skip("V") || rest.skip("O") else { break }
      scanner = rest
      typeEnd = rest.text.startIndex
    }
    typeName = typeEnd.map { String(name.dropFirst(2)[..<$0]) }
    var after = scanner
    let isExtension = first == nil || after.identifier() != nil && after.skip("E")
    module = isExtension ? Self.extendingModule(name) ?? first : first
  }

  /// The innermost type around the function; nil if there is none or it is generic.
  package var type: Any.Type? { typeName.flatMap { _typeByName($0) } }

  /// Returns the module of the extension that declares the function; demangled names show it as `(extension in Game)`.
  private static func extendingModule(_ name: String) -> String? {
    guard let text = unsafe ch_demangle(name) else { return nil }
    defer { unsafe free(text) }
    let demangled = unsafe String(cString: text)
    guard let start = demangled.firstRange(of: "(extension in ")?.upperBound else { return nil }
    return String(demangled[start...].prefix { $0 != ")" })
  }

  /// Reads a mangled name from its start.
  private struct Scanner {
    var text: Substring

    init(_ text: Substring) { self.text = text }

    mutating func skip(_ prefix: String) -> Bool {
      guard text.hasPrefix(prefix) else { return false }
      text = text.dropFirst(prefix.count)
      return true
    }

    /// Passes an identifier and returns its characters. An identifier is a length and as many characters. Or it is `0`,
    /// then letters for words that came before, of which the last is a capital, with a length and characters after each
    /// run of letters.
    mutating func identifier() -> String? {
      guard text.first?.isNumber == true else { return nil }
      var refersBack = skip("0")
      var characters = ""
      repeat {
        while refersBack, let letter = text.first, letter.isLetter {
          refersBack = letter.isLowercase
          text = text.dropFirst()
        }
        if skip("0") { break }
        let digits = text.prefix(while: \.isNumber)
        guard let length = Int(digits) else { return nil }
        characters += text.dropFirst(digits.count).prefix(length)
        text = text.dropFirst(digits.count + length)
      } while refersBack
      return characters
    }
  }
}
