import Simulator
import Testing

@testable import ScenarioFiles

/// One change to the example, and what is said of it.
struct Slip: CustomTestStringConvertible, Sendable {
  let piece: String
  let replacement: String
  let error: String

  init(_ piece: String, _ replacement: String, _ error: String) {
    self.piece = piece
    self.replacement = replacement
    self.error = error
  }

  var testDescription: String { "\(piece) → \(replacement)" }
}

@Suite struct DiagnosticTests {
  @Test(arguments: [(12, 12), (13, 3)])
  func `an unknown name is answered with all of few names, and with three of many`(_ count: Int, _ shown: Int)
  {
    let names = (0..<count).map { "name-\($0)x" }
    let text = NearestName.suggestion(for: "elsewhere", in: names)
    #expect(names.count { text.contains("\"\($0)\"") } == shown, "\(text)")
  }

  @Test(arguments: [
    Slip(#""version": 1"#, #""version": 2"#, #"t.json:1:14: error: found 2; allowed: 1"#),
    Slip(#""version": 1"#, #""version": 1.5"#, #"t.json:1:14: error: found 1.5; allowed: 1"#),
    Slip(#""version": 1"#, #""version": "1""#, #"t.json:1:14: error: found "1"; allowed: 1"#),
    Slip(#""version": 1, "#, "", #"t.json:1:1: error: a scenario file has no "version"; add it"#),
    Slip(
      #""system": "inbox-refresh""#, #""system": "inbox-refesh""#,
      #"t.json:4:13: error: unknown system "inbox-refesh"; did you mean "inbox-refresh"? "#
        + #"allowed: "inbox-refresh", "counter""#),
    Slip(
      #""system": "inbox-refresh""#, #""system": 7"#,
      #"t.json:4:13: error: found 7; allowed: the name of a system: "inbox-refresh", "counter""#),
    Slip(
      #""about":"#, #""abuot":"#,
      #"t.json:3:3: error: unknown key "abuot" in a scenario; did you mean "about"? allowed: "name", "about", "#
        + #""system", "script", "expect", "with", "world", "check", "search", "untested", "replays""#),
    Slip(
      #""leaving-while-loading""#, #""leaving while loading""#,
      #"t.json:2:11: error: found "leaving while loading"; a scenario is named with letters, digits, "-", "_" "#
        + #"and ".", begins with a letter or digit, and has at most 100 of them"#),
    Slip(
      #""staleAfter""#, #""staleafter""#,
      #"t.json:5:13: error: unknown key "staleafter" in "with" of "inbox-refresh"; did you mean "staleAfter"? "#
        + #"allowed: "staleAfter""#),
    Slip(
      #""5m""#, #""1m...5m""#,
      #"t.json:5:27: error: found the range "1m...5m"; one fixed duration is needed here, such as "5s""#),
    Slip(
      #""5m""#, #"["1m", "5m"]"#,
      #"t.json:5:27: error: found a list; one fixed value is needed here: a duration such as "5s""#),
    Slip(
      #""5m""#, #""anytime""#,
      #"t.json:5:27: error: found "anytime"; only "at" in a script line can be any time, here a duration is needed"#
    ),
    Slip(
      #""network":"#, #""netwrok":"#,
      #"t.json:7:5: error: unknown fake "netwrok"; did you mean "network"? allowed: "network", "store", "offline""#
    ),
    Slip(
      #""GET /inbox""#, #""GET /inbx""#,
      #"t.json:7:18: error: unknown operation "GET /inbx"; did you mean "GET /inbox"? "#
        + #"allowed: "GET /inbox", "GET /letter""#),
    Slip(
      #"["ok", "offline"]"#, #"["ok", "ofline"]"#,
      #"t.json:7:78: error: unknown reply "ofline"; did you mean "offline"? allowed: "ok", "offline", "500""#),
    Slip(
      #""fails": ["never","#, #""fails": ["maybe","#,
      #"t.json:8:62: error: unknown fault "maybe"; allowed: "never", "before-commit", "after-commit", "torn""#
    ),
    Slip(
      #""fails": ["never","#, #""fails": ["before-commit","#,
      #"t.json:8:79: error: "before-commit" stands twice in this list; remove one"#),
    Slip(
      #""fails": ["never", "before-commit", "after-commit"]"#, #""reply": "ok""#,
      #"t.json:8:52: error: unknown key "reply" in the operation "write"; allowed: "delay", "spend", "fails", "#
        + #""ignoresCancel""#),
    Slip(
      #""100ms...1s""#, #""1s...100ms""#,
      #"t.json:8:38: error: the range "1s...100ms" ends before it begins; write the lower end first"#),
    Slip(
      #""100ms...1s""#, #"["1s", "1s...2s"]"#,
      #"t.json:8:45: error: found the range "1s...2s"; one fixed duration is needed here, such as "5s""#),
    Slip(
      #""100ms...1s""#, #"[["1s"]]"#,
      #"t.json:8:39: error: alternatives hold fixed values only, no ranges and no lists; each is a duration such as "5s""#
    ),
    Slip(
      #""100ms...1s""#, "[]",
      #"t.json:8:38: error: this list of alternatives is empty; give it at least one entry, or leave it out"#),
    Slip(
      #""at": "anytime""#, #""at": "61s""#,
      #"t.json:13:30: error: found "61s", and every execution ends at "1m" of virtual time; begin the line earlier, or "#
        + #"raise "until" of "search""#),
    Slip(
      #""100ms...1s""#, "5",
      #"t.json:8:38: error: found 5; allowed: a duration such as "5s", a range "1s...3s" or alternatives ["1s", "5s"]"#
    ),
    Slip(
      #"{ "delay": "50ms" }"#, #"{ "calls": [] }"#,
      #"t.json:7:94: error: unknown key "calls" in a call of "GET /inbox"; allowed: "arrivalDelay", "delay", "spend", "reply", "#
        + #""ignoresCancel""#),
    Slip(
      #""do": "refresh""#, #""do": "refersh""#,
      #"t.json:10:13: error: unknown action "refersh"; did you mean "refresh"? "#
        + #"allowed: "refresh", "open", "dismiss""#),
    Slip(#""letter": "42", "#, "", #"t.json:11:5: error: the action "open" has no "letter"; add it"#),
    Slip(
      #""letter": "42""#, #""letter": 42"#,
      #"t.json:11:31: error: found 42; allowed: a text in quotes, such as "42""#),
    Slip(
      #""letter": "42""#, #""letter": "42", "page": 100"#,
      #"t.json:11:45: error: found 100; allowed: from 1 to 99"#),
    Slip(
      #""letter": "42""#, #""letter": "42", "animated": "no""#,
      #"t.json:11:49: error: found "no"; allowed: true or false"#),
    Slip(
      #""do": "dismiss","#, #""do": "dismiss", "letter": "1","#,
      #"t.json:13:24: error: unknown key "letter" in the action "dismiss"; allowed: "do", "as", "times", "at""#
    ),
    Slip(#""times": 2"#, #""times": 1001"#, #"t.json:11:46: error: found 1001; allowed: from 1 to 1000"#),
    Slip(
      #""times": 2"#, #""times": 1.5"#,
      #"t.json:11:46: error: found 1.5; allowed: a whole number from 1 to 1000"#
    ),
    Slip(
      #""cancel": "first""#, #""cancel": "frist""#,
      #"t.json:12:17: error: no line of this script has the label "frist" ("as"); did you mean "first"? "#
        + #"allowed: "first""#),
    Slip(
      #""cancel": "first","#, #""cancel": "first", "times": 2,"#,
      #"t.json:12:26: error: unknown key "times" in a cancel line; allowed: "cancel", "at""#),
    Slip(
      #""cancel": "first","#, #""cancel": "first", "do": "open","#,
      #"t.json:12:5: error: a script line either does something or cancels something; split it into two lines"#
    ),
    Slip(
      #""cancel": "first","#, "",
      #"t.json:12:5: error: a script line has no "do" and no "cancel"; add one of them"#),
    Slip(
      #""times": 2"#, #""as": "first""#,
      #"t.json:11:43: error: the label "first" stands already at 10:30; rename or remove one"#),
    Slip(
      #""at": "anytime""#, #""at": "whenever""#,
      #"t.json:13:30: error: found "whenever"; a duration is a number"#),
    Slip(
      #"[ "nothing-after-dismissal","#, #"[ "nothing-after-dismisal","#,
      #"t.json:14:14: error: unknown invariant "nothing-after-dismisal"; did you mean "nothing-after-dismissal"? "#
    ),
    Slip(
      #"{ "settles-within": "8s" }"#, #""settles-within""#,
      #"t.json:14:62: error: "settles-within" needs a value; write { "settles-within": … } with a duration"#),
    Slip(
      #"{ "settles-within": "8s" }"#, #"{ "settles-within": "8s", "x": 1 }"#,
      #"t.json:14:62: error: found an object; allowed: one invariant and its value, { "name": value }"#),
    Slip(
      #""no-orphaned-write", {"#, #"{ "no-orphaned-write": 1 }, {"#,
      #"t.json:14:41: error: "no-orphaned-write" takes no value; write it alone: "no-orphaned-write""#),
    Slip(
      #"{ "settles-within": "8s" }"#, #""deadlock""#,
      #"t.json:14:62: error: "deadlock" is checked without being asked; remove it here"#),
    Slip(
      #"{ "settles-within": "8s" }"#, #""no-orphaned-write""#,
      #"t.json:14:62: error: the invariant "no-orphaned-write" stands already at 14:41; rename or remove one"#
    ),
    Slip(
      #""strategy": "portfolio""#, #""strategy": "portfolo""#,
      #"t.json:15:27: error: unknown strategy "portfolo"; did you mean "portfolio"? "#
        + #"allowed: "portfolio", "natural", "random", "#),
    Slip(
      #""schedules": 1000"#, #""schedules": 1000, "steps": 1"#,
      #"t.json:15:68: error: found 1; allowed: one of these: "atomic", "#),
    Slip(
      #""schedules": 1000"#, #""schedules": 1000, "steps": "atomc""#,
      #"t.json:15:68: error: unknown kind of steps "atomc"; did you mean "atomic"? allowed: "atomic", "#),
    Slip(
      #""schedules": 1000"#, #""schedules": 0"#, #"t.json:15:53: error: found 0; allowed: from 1 to 10000000"#
    ),
    Slip(
      #""seed": 0"#, #""seed": -1"#,
      #"t.json:15:67: error: found -1; allowed: from 0 to 18446744073709551615"#),
    Slip(#""60s""#, #""0s""#, #"t.json:15:79: error: found "0s"; allowed: from "1ns" to "365d""#),
    Slip(#""60s""#, #""-1s""#, #"t.json:15:79: error: "-1s" is negative; time only goes forward from "0s""#),
    Slip(#""60s""#, #""400d""#, #"t.json:15:79: error: "400d" is too long; allowed: up to "365d""#),
    Slip(
      #""60s""#, #""60""#,
      #"t.json:15:79: error: "60" has no unit; allowed: "ns", "us", "ms", "s", "m", "h", "d""#),
    Slip(#""deviations": 2"#, "", #"t.json:15:97: error: "exhaust" has no "deviations"; add it"#),
    Slip(
      #", "hardened": "holds""#, "",
      #"t.json:16:13: error: "expect" does not mention the variant "hardened"; add "holds" or the invariants"#
    ),
    Slip(
      #""hardened": "holds""#, #""hardend": "holds""#,
      #"t.json:16:74: error: unknown variant "hardend"; did you mean "hardened"? allowed: "naive", "hardened""#
    ),
    Slip(
      #""holds""#, #""hold""#,
      #"t.json:16:86: error: found "hold"; allowed: "holds", "tests-nothing" or a list of the invariants that "#
        + "are violated"),
    Slip(
      #""holds""#, #""test-nothing""#,
      #"t.json:16:86: error: found "test-nothing"; allowed: "holds", "tests-nothing" or a list of the "#),
    Slip(
      #""holds""#, #"[]"#,
      #"t.json:16:86: error: the list of violated invariants is empty; give it at least one entry"#),
    Slip(
      #", { "settles-within": "8s" } ]"#, " ]",
      ""),
    Slip(
      #""holds""#, #"["no-orphand-write"]"#,
      #"t.json:16:87: error: unknown invariant "no-orphand-write"; did you mean "no-orphaned-write"? "#),
    Slip(
      #""replays":"#, #""untested": { "hardened": ["store read"] }, "replays":"#,
      #"t.json:17:30: error: nothing in this scenario is named "store read", so it cannot be "untested"; "#
        + #"allowed: "store write", "#),
    Slip(
      #"{ "naive": ["debug"#, #"{ "native": ["debug"#,
      #"t.json:17:16: error: unknown variant "native"; did you mean "naive"? "#),
    Slip(
      #"["debug/14:1/3,21:3/4#9f2c"]"#, #""debug/14:1/3""#,
      #"t.json:17:25: error: found "debug/14:1/3"; allowed: a list, [ … ]"#),
    Slip(
      #""script": ["#, #""script": { "x": ["#,
      #"t.json:"#),
  ])
  func `a slip is named, placed and cured`(slip: Slip) {
    let errors = ExampleFile.errors(with: slip.piece, as: slip.replacement)
    if slip.error.isEmpty { return #expect(errors.isEmpty) }
    #expect(errors.first?.hasPrefix(slip.error) == true, "\(errors)")
    if !slip.error.hasSuffix("json:") { #expect(errors.count == 1, "\(errors)") }
  }

  @Test func `an invariant can only be expected where it is checked`() {
    let errors = ExampleFile.errors(
      with: #""check": [ "nothing-after-dismissal", "no-orphaned-write", "#, as: #""check": [ "#)
    #expect(
      errors == [
        #"t.json:16:25: error: "nothing-after-dismissal" can only be expected where it is checked; add it to "check""#,
        #"t.json:16:52: error: "no-orphaned-write" can only be expected where it is checked; add it to "check""#,
      ])
  }

  @Test func `two scenarios cannot have one name`() {
    let scenario =
      #"{ "name": "a", "about": "", "system": "counter", "script": [{ "do": "tap", "by": 1 }], "expect": { "only": "holds" } }"#
    let errors = ExampleFile.errors(
      in: Array("{\"version\": 1, \"scenarios\": [\(scenario),\n\(scenario)]}".utf8))
    #expect(errors == [#"t.json:2:11: error: the scenario "a" stands already at 1:40; rename or remove one"#])
  }

  @Test func `all errors come at once and in order`() {
    let text = ExampleFile.text
      .replacing(#""inbox-refresh""#, with: #""inbox-refesh""#)
      .replacing("5m", with: "5 minutes")
      .replacing(#""do": "open""#, with: #""do": "opne""#)
      .replacing(#""60s""#, with: "60")
      .replacing(#""holds""#, with: "true")
    let lines = ExampleFile.diagnostics(of: Array(text.utf8))?.all.map(\.position.line)
    #expect(lines == [4, 5, 11, 15, 16])
  }

  @Test func `what was lost with a broken piece is not reported as missing`() {
    let text = ExampleFile.text.replacing(
      #"{ "do": "refresh", "as": "first", "at": "0s" }"#, with: #"{ do: "refresh" }"#)
    let errors = ExampleFile.errors(in: Array(text.utf8))
    #expect(errors == [#"t.json:10:7: error: found "d"; expected a key in double quotes"#])
  }

  @Test func `a key that lost its quotes is not reported as missing`() {
    #expect(
      ExampleFile.errors(with: #""about":"#, as: "about:")
        == [#"t.json:3:3: error: found "a"; expected a key in double quotes"#])
  }

  @Test func `a hostile name cannot write to the terminal`() {
    let text = ExampleFile.with(#""naive": ["nothing"#, as: #""\u001b[2J\u202enaive": ["nothing"#)
    let errors = ExampleFile.errors(in: Array(text.utf8))
    #expect(errors.contains { $0.contains(#"unknown variant "\u{1b}[2J\u{202e}naive""#) }, "\(errors)")
  }

  @Test func `more errors than a person reads are counted`() throws {
    let lines = String(repeating: "1,", count: 5000) + "1"
    let text = ExampleFile.with(#""script": ["#, as: #""script": [\#(lines),"#)
    let diagnostics = try #require(ExampleFile.diagnostics(of: Array(text.utf8)))
    #expect(diagnostics.all.count == 1000)
    #expect(diagnostics.omitted > 4000)
    #expect(diagnostics.description.hasSuffix("more errors"))
  }

  @Test func `a token that the engine cannot read is an error of the file`() {
    var vocabulary = Vocabulary.test
    vocabulary.tokenFlaw = { $0.hasPrefix("debug/") ? "it is from a debug build" : nil }
    #expect(throws: Diagnostics.self) {
      try ScenarioFile(Array(ExampleFile.text.utf8), named: "t.json", in: vocabulary)
    }
  }
}

@Suite struct `Lists that are empty` {
  private func errors(_ text: String) -> String {
    do {
      _ = try ScenarioFile(Array(text.utf8), named: "t.json", in: .test)
      return ""
    } catch {
      return "\(error)"
    }
  }

  private func scenario(_ rest: String) -> String {
    """
    { "version": 1, "scenarios": [ { "name": "a", "about": "b", "system": "inbox-refresh", \(rest) } ] }
    """
  }

  @Test func `are never told to be left out where they may not be`() {
    let expected = #""expect": { "naive": "holds", "hardened": "holds" }"#
    let empty = errors(scenario(#""script": [], "# + expected))
    #expect(empty.hasSuffix(#""script" is empty; give it at least one entry"#), "\(empty)")
    #expect(errors(scenario(expected)).contains(#"has no "script"; add it"#))
    let violated = errors(
      scenario(#""script": [ { "do": "refresh" } ], "expect": { "naive": [], "hardened": "holds" }"#))
    #expect(violated.hasSuffix(#"is empty; give it at least one entry, or write "holds""#), "\(violated)")
    let nothing = errors(
      scenario(
        #""script": [ { "do": "refresh" } ], "expect": { "naive": "holds", "hardened": "tests-nothing" }"#))
    #expect(
      nothing.hasSuffix(
        #""tests-nothing" says that nothing under "check" is judged, and nothing is listed there; add what it fails to test"#
      ),
      "\(nothing)")
    let scenarios = errors(#"{ "version": 1, "scenarios": [] }"#)
    #expect(scenarios.hasSuffix(#""scenarios" is empty; give it at least one entry"#), "\(scenarios)")
    #expect(
      errors(#"{ "version": 1, "include": [ "b.json" ], "scenarios": [] }"#).hasSuffix(", or leave it out"))
  }

  @Test(arguments: [
    #""at": "2m""#, #""at": "1s...2m""#, #""at": [ "1s", "2m" ]"#,
    #""as": "a" }, { "cancel": "a", "at": "2m""#,
  ])
  func `a line that begins after the end is refused`(time: String) {
    let text = { (until: String) in
      scenario(
        #""script": [ { "do": "refresh", \#(time) } ], "search": { "until": "\#(until)" }, "#
          + #""expect": { "naive": "holds", "hardened": "holds" }"#)
    }
    #expect(errors(text("2m")) == "")
    #expect(errors(text("119s")).contains(#"found "2m", and every execution ends at "119s" of virtual time"#))
    #expect(
      errors(scenario(#""script": [ { "do": "refresh", \#(time) } ], "expect": "holds""#)).contains(
        #"every execution ends at "1m""#))
  }
}
