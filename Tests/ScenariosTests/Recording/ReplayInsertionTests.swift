import Foundation
import Simulator
import Testing

@testable import ScenarioFiles
@testable import Scenarios

@Suite struct ReplayInsertionTests {
  private static let head = #"{ "version": 1, "scenarios": [ "#

  private func added(_ variant: String = "naive", _ tokens: String..., to text: String) throws -> String {
    let additions = tokens.map {
      RecordedSchedule(file: "t.json", scenario: "one", variant: variant, token: $0)
    }
    return try added(additions, to: text)
  }

  private func added(_ additions: [RecordedSchedule], to text: String) throws -> String {
    let source = Recording.Source(file: "t.json", bytes: Array(text.utf8))
    return String(decoding: try ReplayInsertion.adding(additions, to: source), as: UTF8.self)
  }

  @Test(arguments: [
    // A new key, in the manner of the keys before it.
    (
      #"{ "name": "one", "expect": { "a": "holds" } }"#,
      #"{ "name": "one", "expect": { "a": "holds" }, "replays": { "naive": [ "T" ] } }"#
    ),
    (
      #"{"name":"one","expect":{"a":"holds"}}"#,
      #"{"name":"one","expect":{"a":"holds"},"replays":{"naive":["T"]}}"#
    ),
    (
      "{\r\n\t\"name\": \"one\",\r\n\t\"expect\" : {}\r\n}\r\n",
      "{\r\n\t\"name\": \"one\",\r\n\t\"expect\" : {},\r\n\t\"replays\" : { \"naive\" : [ \"T\" ] }\r\n}\r\n"
    ),
    (
      "{ \"name\": \"one\"\n, \"expect\": {}\n}",
      "{ \"name\": \"one\"\n, \"expect\": {}\n, \"replays\": { \"naive\": [ \"T\" ] }\n}"
    ),
    // Only one key.
    (#"{ "name": "one" }"#, #"{ "name": "one", "replays": { "naive": [ "T" ] } }"#),
    // An empty object, another variant, the same variant.
    (#"{ "name": "one", "replays": { } }"#, #"{ "name": "one", "replays": { "naive": [ "T" ] } }"#),
    (
      #"{ "name": "one", "replays": {"hardened": ["x"]} }"#,
      #"{ "name": "one", "replays": {"hardened": ["x"], "naive": ["T"]} }"#
    ),
    (
      #"{ "name": "one", "replays": { "naive": ["x"], "z": ["y"] }, "more": 1 }"#,
      #"{ "name": "one", "replays": { "naive": ["x", "T"], "z": ["y"] }, "more": 1 }"#
    ),
    (
      #"{ "name": "one", "replays": { "naive": ["x" ,"y"] } }"#,
      #"{ "name": "one", "replays": { "naive": ["x" ,"y" ,"T"] } }"#
    ),
    (
      "{ \"name\": \"one\", \"replays\": { \"naive\": [\n    \"x\"\n  ] } }",
      "{ \"name\": \"one\", \"replays\": { \"naive\": [\n    \"x\",\n    \"T\"\n  ] } }"
    ),
    // A scenario beside it, and one whose name is written otherwise.
    (
      #"{ "name": "two", "replays": {} }, { "name": "o\u006ee", "replays": {} }"#,
      #"{ "name": "two", "replays": {} }, { "name": "o\u006ee", "replays": { "naive": [ "T" ] } }"#
    ),
  ])
  func `a schedule is added in the style of the text`(before: String, after: String) throws {
    let tail = " ] }"
    #expect(try added("naive", "T", to: Self.head + before + tail) == Self.head + after + tail)
  }

  @Test func `several schedules of several variants and scenarios at once`() throws {
    let text = Self.head + #"{ "name": "one", "replays": { "a": ["x"] } }, { "name": "two", "x": 1 } ] }"#
    let additions = [
      ("two", "b", "T4"), ("one", "a", "T1"), ("one", "b", "T2"), ("one", "a", "T3"), ("one", "c", "T5"),
    ].map { RecordedSchedule(file: "t.json", scenario: $0.0, variant: $0.1, token: $0.2) }
    #expect(
      try added(additions, to: text) == Self.head
        + #"{ "name": "one", "replays": { "a": ["x", "T1", "T3"], "b": ["T2"], "c": ["T5"] } }, "#
        + #"{ "name": "two", "x": 1, "replays": { "b": [ "T4" ] } } ] }"#)
  }

  @Test func `a scenario that is not there is an error`() {
    #expect(throws: RecordingFault.lostScenario("one", file: "t.json")) {
      try added("naive", "T", to: Self.head + #"{ "name": "two" } ] }"#)
    }
  }

  /// Every file of the repository, as it is and in other clothes: what was added is there, and nothing else
  /// is different.
  @Test(arguments: ["\n", "\r\n", ""], [true, false])
  func `every other byte of a real file stays`(lineEnd: String, endsInLine: Bool) throws {
    let paths = ["scenarios.json", "scenarios/actors.json", "scenarios/effects.json"]
    for path in paths {
      let url = Catalogued.repository.appending(path: path)
      var text = try String(contentsOf: url, encoding: .utf8).replacing("\n", with: lineEnd)
      if !endsInLine { text = text.trimmingCharacters(in: .newlines) }
      let before = try ScenarioFile(Array(text.utf8), named: path, in: Catalogued.vocabulary)
      let additions = before.scenarios.flatMap { scenario in
        scenario.expectations.prefix(2).enumerated().map { index, expectation in
          RecordedSchedule(
            file: path, scenario: scenario.name, variant: expectation.variant,
            token: "debug/\(index):1/2#0123abcd")
        }
      }
      let after = try added(additions, to: text)
      let file = try ScenarioFile(Array(after.utf8), named: path, in: Catalogued.vocabulary)
      for scenario in file.scenarios {
        let own = additions.filter { $0.scenario == scenario.name }
        let old = before.scenarios.first { $0.name == scenario.name }?.replays.count ?? 0
        #expect(scenario.replays.count == old + own.count)
        #expect(own.allSatisfy { added in scenario.replays.contains { $0.token == added.token } })
      }
      #expect(isSubsequence(Array(text.utf8), of: Array(after.utf8)))
      #expect(after.hasSuffix("\n") == text.hasSuffix("\n"))
      #expect(after.contains("\r\n") == text.contains("\r\n"))
    }
  }

  private func isSubsequence(_ small: [UInt8], of large: [UInt8]) -> Bool {
    var index = 0
    for byte in large where index < small.count && byte == small[index] { index += 1 }
    return index == small.count
  }
}
