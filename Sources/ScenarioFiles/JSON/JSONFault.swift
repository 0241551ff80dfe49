/// An error in a text that should be JSON.
///
/// Strings in it come from the file as they are; `description` makes them fit to be shown.
package enum JSONFault: Error, Equatable, Sendable {
  case tooLarge(limit: Int)
  case empty
  case byteOrderMark
  case utf16
  case brokenUTF8
  case unexpected(found: String, expected: String)
  case unexpectedEnd(expected: String)
  case unclosed(String)
  case unclosedString
  case unquotedKey(String)
  case unknownWord(String)
  case comment
  case missingComma
  case extraComma
  case trailing(String)
  case rawControlCharacter(UInt8)
  case badEscape(String)
  case loneSurrogate(UInt16)
  case badNumber(String)
  case numberOutOfRange(String)
  case tooDeep(limit: Int)
  case duplicateKey(String)
  case gaveUp
}

extension JSONFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLarge(let limit): "the file is larger than \(limit) bytes; split it into several files"
    case .empty: "the file is empty; a scenario file begins with { \"version\": 1, \"scenarios\": [ … ] }"
    case .byteOrderMark: "the file begins with a byte order mark; save it as UTF-8 without one"
    case .utf16: "the file is not UTF-8, it looks like UTF-16; save it as UTF-8"
    case .brokenUTF8: "these bytes are not UTF-8; save the file as UTF-8"
    case .unexpected(let found, let expected): "found \(Echo.quoted(found)); expected \(expected)"
    case .unexpectedEnd(let expected): "the file ends here; expected \(expected)"
    case .unclosed(let open): "this \"\(open)\" is never closed; add its \"\(open == "{" ? "}" : "]")\""
    case .unclosedString:
      "this string is not closed on its line; add its quote, or write \\n for a line break"
    case .unquotedKey(let found): "found \(Echo.quoted(found)); expected a key in double quotes"
    case .unknownWord(let word):
      "found \(Echo.quoted(word)); expected true, false, null, a number or a quoted string"
    case .comment: "JSON has no comments; remove it, or say it in \"about\""
    case .missingComma: "a comma is missing before this"
    case .extraComma: "nothing follows this comma; remove it"
    case .trailing(let found): "found \(Echo.quoted(found)) after the end of the file's one value; remove it"
    case .rawControlCharacter(let byte):
      "a raw control character in a string; write it as \(Echo.jsonEscape(UInt16(byte)))"
    case .badEscape(let found):
      "found the escape \(Echo.quoted(found)); allowed: \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits"
    case .loneSurrogate(let unit):
      "\(Echo.jsonEscape(unit)) is half of a surrogate pair; write both halves, or the character itself"
    case .badNumber(let literal): "found \(Echo.quoted(literal)); a number is written like 0, 42, -7 or 1.5"
    case .numberOutOfRange(let literal):
      "the number \(Echo.plain(literal, limit: 40)) is too large to be held"
    case .tooDeep(let limit): "more than \(limit) lists and objects inside each other; allowed: \(limit)"
    case .duplicateKey(let name): "the key \(Echo.quoted(name)) stands twice in this object; keep one"
    case .gaveUp: "too many errors before this; the rest of the file was not read"
    }
  }
}
