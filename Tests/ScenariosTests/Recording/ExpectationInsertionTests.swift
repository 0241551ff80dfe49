import Testing

@testable import ScenarioFiles
@testable import Scenarios

@Suite struct ExpectationInsertionTests {
  private static let head = #"{ "version": 1, "scenarios": [ "#

  private func added(_ outcomes: [SeenOutcome], to scenario: String) throws -> String {
    let source = Recording.Source(file: "t.json", bytes: Array((Self.head + scenario + " ] }").utf8))
    let addition = ExpectationInsertion.Addition(scenario: "one", outcomes: outcomes)
    let text = String(decoding: try ExpectationInsertion.adding([addition], to: source), as: UTF8.self)
    #expect(text.hasPrefix(Self.head) && text.hasSuffix(" ] }"))
    return String(text.dropFirst(Self.head.count).dropLast(4))
  }

  private static let both = [
    SeenOutcome(variant: "naive", outcome: .violates(["a", "b"])),
    SeenOutcome(variant: "hardened", outcome: .holds),
  ]

  @Test(arguments: [
    // No "expect": behind what is there, before what usually stands behind it, in the manner of the file.
    (
      #"{ "name": "one", "check": [ "a" ] }"#,
      #"{ "name": "one", "check": [ "a" ], "expect": { "naive": [ "a", "b" ], "hardened": "holds" } }"#
    ),
    (
      #"{"name":"one","check":["a"],"untested":{},"replays":{}}"#,
      #"{"name":"one","check":["a"],"expect":{"naive":["a", "b"], "hardened":"holds"},"untested":{},"replays":{}}"#
    ),
    (
      "{\r\n\t\"name\" : \"one\",\r\n\t\"check\" : []\r\n}",
      "{\r\n\t\"name\" : \"one\",\r\n\t\"check\" : [],\r\n\t\"expect\" : { \"naive\" : [ \"a\", \"b\" ], \"hardened\" : \"holds\" }\r\n}"
    ),
    // An empty one, one that lacks a variant, one that says something else.
    (
      #"{ "name": "one", "expect": {} , "more": 1 }"#,
      #"{ "name": "one", "expect": { "naive": [ "a", "b" ], "hardened": "holds" } , "more": 1 }"#
    ),
    (
      "{ \"name\": \"one\", \"expect\": {\n  \"z\": \"holds\",\n  \"naive\": \"holds\" } }",
      "{ \"name\": \"one\", \"expect\": {\n  \"z\": \"holds\",\n  \"naive\": [ \"a\", \"b\" ],\n  \"hardened\": \"holds\" } }"
    ),
    (
      #"{ "name": "one", "expect": { "hardened": ["a"], "naive": ["z"] } }"#,
      #"{ "name": "one", "expect": { "hardened": "holds", "naive": ["a", "b"] } }"#
    ),
  ])
  func `what was seen is added, and every other byte stays`(before: String, after: String) throws {
    #expect(try added(Self.both, to: before) == after)
  }

  @Test func `nothing seen changes nothing, and a scenario that is lost is said`() throws {
    #expect(try added([], to: #"{ "name": "one" }"#) == #"{ "name": "one" }"#)
    #expect(throws: RecordingFault.lostScenario("one", file: "t.json")) {
      try added(Self.both, to: #"{ "name": "two" }"#)
    }
  }
}
