import Testing

@testable import ScenarioFiles

@Suite struct JSONReaderTests {
  private func faults(_ text: String, limits: JSONLimits = JSONLimits()) -> [JSONFault] {
    JSONReader.read(Array(text.utf8), limits: limits).faults.map(\.fault)
  }

  private func value(_ text: String) -> JSONValue? {
    JSONReader.read(Array(text.utf8)).root?.value
  }

  @Test func `every kind of value is read`() {
    #expect(faults(#"[null, true, false, -1.5e+3, "a", {}, []]"#).isEmpty)
    #expect(value("null") == .null)
    #expect(value(" -12 ") == .number(JSONNumber(literal: "-12")))
    #expect(value(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#) == .string("\"\\/\u{8}\u{C}\n\r\té😀"))
  }

  @Test func `ranges cover a value's bytes, and a key's with its quotes`() throws {
    let text = #"{ "é": [1, "ü"] }"#
    let bytes = Array(text.utf8)
    guard case .object(let object)? = value(text) else { throw Missing() }
    let member = try #require(object.members.first)
    #expect(String(decoding: bytes[member.key.range], as: UTF8.self) == #""é""#)
    #expect(String(decoding: bytes[member.value.range], as: UTF8.self) == #"[1, "ü"]"#)
    guard case .array(let array) = member.value.value else { throw Missing() }
    #expect(array.elements.map { String(decoding: bytes[$0.range], as: UTF8.self) } == ["1", #""ü""#])
  }

  @Test(arguments: [
    ("", JSONFault.empty),
    (" \n ", .empty),
    ("{", .unclosed("{")),
    ("[1", .unclosed("[")),
    (#"["a"#, .unclosedString),
    (#"{a: 1}"#, .unquotedKey("a")),
    (#"{"a" 1}"#, .unexpected(found: "1", expected: "\":\" and the key's value")),
    (#"{"a": }"#, .unexpected(found: "}", expected: "a value")),
    (#"{"a":"#, .unexpectedEnd(expected: "a value")),
    ("[1 2]", .missingComma),
    ("[1,]", .extraComma),
    ("{} x", .trailing("x")),
    ("[True]", .unknownWord("True")),
    ("[NaN]", .unknownWord("NaN")),
    ("// a\n{}", .comment),
    ("{ /* a */ }", .comment),
    ("[\"a\u{1}b\"]", .rawControlCharacter(1)),
    (#"["\x"]"#, .badEscape("\\x")),
    (#"["\u12g4"]"#, .badEscape("\\u12")),
    (#"["\ud800"]"#, .loneSurrogate(0xD800)),
    (#"["\ud800\u0041"]"#, .loneSurrogate(0xD800)),
    (#"["\udc00"]"#, .loneSurrogate(0xDC00)),
    ("[01]", .badNumber("01")),
    ("[1.]", .badNumber("1.")),
    ("[-]", .badNumber("-")),
    ("[1e]", .badNumber("1e")),
    ("[18446744073709551616]", .numberOutOfRange("18446744073709551616")),
    ("[1e999]", .numberOutOfRange("1e999")),
    (#"{"a": 1, "a": 2}"#, .duplicateKey("a")),
    (#"{"é": 1, "e\u0301": 2}"#, .duplicateKey("e\u{301}")),
    ("\u{FEFF}{}", .byteOrderMark),
    ("[1 }", .unexpected(found: "}", expected: "\",\" or \"]\"")),
  ])
  func `the error about a broken text says what is broken`(text: String, fault: JSONFault) {
    #expect(faults(text).first == fault, "\(faults(text))")
    #expect(!fault.description.isEmpty)
  }

  @Test func `bytes that are no UTF-8 are found where they stand`() {
    let bytes = Array("[\"a".utf8) + [0xC3, 0x28, 0xED, 0xA0, 0x80] + Array("\"]".utf8)
    let faults = JSONReader.read(bytes).faults
    #expect(faults.first == LocatedJSONFault(fault: .brokenUTF8, offset: 3))
    #expect(faults.allSatisfy { $0.fault == .brokenUTF8 })
    #expect(JSONReader.read([0xFF, 0xFE, 0x7B, 0]).faults.map(\.fault) == [.utf16])
  }

  @Test func `depth is limited and the rest of the file still read`() {
    let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
    #expect(faults("[\(deep), 01]") == [.tooDeep(limit: 64), .badNumber("01")])
    #expect(faults(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)).isEmpty)
  }

  @Test func `a million open brackets are refused without a trap`() {
    #expect(faults(String(repeating: "[", count: 1_000_000)).first == .tooDeep(limit: 64))
    #expect(faults(String(repeating: "{\"a\":", count: 200_000)).first == .tooDeep(limit: 64))
  }

  @Test func `a file over the limit is refused unread`() {
    #expect(faults("[\"aaaa\"]", limits: JSONLimits(bytes: 7)) == [.tooLarge(limit: 7)])
  }

  @Test func `several faults are found at once`() {
    let text = #"{"a": 01, b: 2, "c": tru, "d": "x\q", "e": 1,, "f": [1 2]}"#
    let found = faults(text)
    #expect(found.count == 6, "\(found)")
  }

  @Test func `one forgotten quote is one error`() {
    #expect(faults("{\n\"a\": \"text,\n\"b\": 1\n}") == [.unclosedString])
  }

  @Test(arguments: [#"{b "a\"#, #"["a\"#, #"["\u"#, #"["\ud800\"#, "[/*", "[/", #"{"a":"#, "[-"])
  func `a text that breaks off has no range beyond its end`(text: String) throws {
    let root = try #require(JSONReader.read(Array(text.utf8)).root)
    #expect(root.range == 0..<text.utf8.count)
  }

  @Test func `after too many faults the reader gives up and says so`() {
    let found = faults("[" + String(repeating: "01,", count: 1000) + "1]")
    #expect(found.count == 101)
    #expect(found.last == .gaveUp)
  }

  @Test func `an object that lost a member says that it is not whole`() {
    guard case .object(let object)? = value("{\"a\": 1, b: 2}") else { return #expect(Bool(false)) }
    #expect(!object.isWhole)
    #expect(object.members.map(\.key.name) == ["a"])
  }
}

struct Missing: Error {}
