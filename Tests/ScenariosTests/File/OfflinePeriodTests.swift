import Testing

@testable import ScenarioFiles

@Suite struct `The times without a connection in a file` {
  private static func text(_ offline: String) -> String {
    ExampleFile.with(#""network": {"#, as: #""offline": \#(offline), "network": {"#)
  }

  private static func errors(_ offline: String) -> [String] {
    ExampleFile.errors(in: Array(text(offline).utf8))
  }

  @Test func `are periods, each of which says when it begins and how long it lasts`() throws {
    let text = Self.text(
      #"[ { "from": "2s", "for": "1s...30s" }, { "from": [ "32s", "40s" ], "for": [ "0s", "5s" ] } ]"#)
    let world = try #require(try ExampleFile.checked(text).scenarios.first).world
    #expect(
      world.offline == [
        OfflinePeriod(from: .fixed(.seconds(2)), length: .range(.seconds(1)...Nanoseconds.seconds(30))),
        OfflinePeriod(
          from: .alternatives([.seconds(32), .seconds(40)]), length: .alternatives([.zero, .seconds(5)])),
      ])
    #expect(world["network", "GET /inbox"] != nil)
  }

  @Test(arguments: [
    (#"{ "from": "2s", "for": "1s" }"#, #"t.json:7:16: error: found an object; allowed: a list, [ … ]"#),
    ("[]", #"t.json:7:16: error: "offline" is empty; give it at least one entry, or leave it out"#),
    (#"[ { "from": "2s" } ]"#, #"t.json:7:18: error: a period of "offline" has no "for"; add it"#),
    (
      #"[ { "from": "2s", "forr": "1s" } ]"#,
      #"t.json:7:34: error: unknown key "forr" in a period of "offline"; did you mean "for"? allowed: "from", "for""#
    ),
    (
      #"[ { "from": "-2s", "for": "1s" } ]"#,
      #"t.json:7:28: error: "-2s" is negative; time only goes forward from "0s""#
    ),
    (
      #"[ { "from": "2s", "for": "-1s" } ]"#,
      #"t.json:7:41: error: "-1s" is negative; time only goes forward from "0s""#
    ),
    (
      #"[ { "from": "2s", "for": "0s" } ]"#,
      #"t.json:7:41: error: a period of "offline" that lasts no time never comes; write a longer one, or remove it"#
    ),
    (
      #"[ { "from": "364d", "for": "2d" } ]"#,
      #"t.json:7:18: error: a period of "offline" must be over after 365d; let it begin earlier, or be shorter"#
    ),
    (
      #"[ { "from": "2s", "for": "1s...5s" }, { "from": "6s...9s", "for": "1s" } ]"#,
      #"t.json:7:54: error: this period may begin at 6s, and the one before it may last until 7s; "#
        + "let this one begin later, or make one of the two"
    ),
    (
      #"[ { "from": "9s", "for": "1s" }, { "from": "1s", "for": "1s" } ]"#,
      #"t.json:7:49: error: this period may begin at 1s, and the one before it may last until 10s; "#
        + "let this one begin later, or make one of the two"
    ),
  ])
  func `are refused where they make no sense`(offline: String, error: String) {
    #expect(Self.errors(offline) == [error])
  }

  @Test func `may follow each other at once`() {
    #expect(
      Self.errors(#"[ { "from": "2s", "for": "1s...5s" }, { "from": "7s", "for": "1s" } ]"#) == [])
  }

  @Test func `are refused where nothing has a connection`() {
    let text = """
      { "version": 1, "scenarios": [ { "name": "a", "about": "", "system": "counter",
        "world": { "offline": [ { "from": "1s", "for": "1s" } ] },
        "script": [ { "do": "tap", "by": 2 } ], "expect": { "only": "holds" } } ] }
      """
    #expect(
      ExampleFile.errors(in: Array(text.utf8)) == [
        #"t.json:2:14: error: nothing in "counter" has a connection to lose: no operation of its fakes may reply "offline"; "#
          + "leave this out, or list that reply in its descriptor"
      ])
  }

  @Test func `are in the schema of a system that has a connection`() {
    let text = { (name: String) in ScenarioSchema(vocabulary: Vocabulary.test.only(name)).text }
    #expect(text("inbox-refresh").contains(##""offline": { "$ref": "#/$defs/offline" }"##))
    #expect(!text("counter").contains(##""$ref": "#/$defs/offline""##))
  }

  @Test func `leave no fake their name`() {
    var descriptor = SystemDescriptor.inbox
    descriptor.fakes[1].name = "offline"
    #expect(Vocabulary(systems: [descriptor]).flaws == [.reservedFake(system: "inbox-refresh")])
  }
}
