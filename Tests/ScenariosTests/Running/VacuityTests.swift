import Simulator
import SimulatorReports
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// What `--strict` judges of each variant that is to hold.
@Suite struct `What a variant leaves untested` {
  /// The user leaves before the profile is there, so that the hardened variant never writes, as it should.
  private static func text(_ untested: String) -> String {
    """
    { "version": 1, "scenarios": [
      { "name": "slow", "about": "The user leaves.", "system": "slow-dismiss",
        "world": { "network": { "GET /profile": { "delay": "5s" } }, "store": { "write": { "fails": [ "never", "before-commit" ] } } },
        "script": [ { "do": "open" }, { "do": "leave", "at": "2s" } ],
        "check": [ "no-orphaned-write" ], "search": { "schedules": 20 }, \(untested)
        "expect": { "naive": [ "no-orphaned-write" ], "hardened": "holds" } } ] }
    """
  }

  private static func report(_ untested: String = "") -> RunReport {
    SampleReport.report(of: text(untested), isStrict: true)
  }

  private static func untested(_ untested: String) -> [String] {
    report(untested).scenarios[0].untested.sentences
  }

  @Test func `is told by its name, although another variant puts it to the test`() {
    let report = Self.report()
    #expect(
      report.scenarios[0].untested.sentences == [
        "hardened: store write was never called",
        "hardened: no-orphaned-write never had anything to judge",
      ])
    #expect(!report.isAsExpected)
  }

  @Test func `may be named by the file, and then it is not told`() {
    #expect(
      Self.untested(#""untested": { "hardened": [ "store write", "no-orphaned-write" ] },"#) == [])
  }

  @Test func `is told where the file names it and it was tested`() {
    #expect(
      Self.untested(#""untested": { "hardened": [ "network GET /profile", "store write", "leave" ] },"#) == [
        "hardened: no-orphaned-write never had anything to judge",
        "hardened: network GET /profile was put to the test, and \"untested\" says that it is not",
        "hardened: leave was put to the test, and \"untested\" says that it is not",
      ])
  }

  /// A variant that breaks is not searched to its end, so it is by luck which faults it meets.
  @Test func `is not the fault of an operation that every variant searched to its end rightly never calls`() {
    let torn = Unused(name: "store write: torn", text: "store write never failed torn", within: "store write")
    let breaks = VariantTested(variant: "naive", vacuous: [], untested: nil, mayBeUntested: [])
    func holds(_ mayBeUntested: [String]) -> VariantTested {
      let never = Unused(name: "store write", text: "store write was never called")
      return VariantTested(
        variant: "hardened", vacuous: [], untested: [never, torn], mayBeUntested: mayBeUntested)
    }
    #expect(ScenarioResult.vacuities([torn], of: [breaks, holds(["store write"])]) == [])
    #expect(ScenarioResult.vacuities([torn], of: [breaks, holds([])]).contains(torn))
    #expect(ScenarioResult.vacuities([torn], of: [breaks]) == [torn])
  }

  @Test func `may be named where only variants play that are to hold`() throws {
    let text = Self.text(#""untested": { "hardened": [ "store write", "no-orphaned-write" ] },"#)
    let scenario = try ScenarioFile(Array(text.utf8), named: "t.json", in: Catalogued.vocabulary).scenarios[0]
      .whereHolding
    #expect(ScenarioRunner(scenario: scenario, type: scenario.type).run().vacuities == [])
  }

  /// The user refreshes, and a cancel may come at every point; or, with a budget of one schedule, never comes.
  private static func everywhere(schedules: Int) -> RunReport {
    SampleReport.report(
      of: """
        { "version": 1, "scenarios": [
          { "name": "everywhere", "about": "Cancelled everywhere.", "system": "inbox-refresh",
            "world": { "network": { "GET /inbox": { "delay": "1s" } }, "store": { "read": { "delay": "20ms" } } },
            "script": [ { "do": "refresh", "as": "first" }, { "cancel": "first", "at": "everywhere" } ],
            "check": [ "cancel-is-not-failure" ],
            "search": { "strategy": "\(schedules == 1 ? "natural" : "random")", "schedules": \(schedules) },
            "expect": { "naive": [ "cancel-is-not-failure" ], "published": [ "cancel-is-not-failure" ],
              "hardened": "holds" } } ] }
        """, isStrict: true)
  }

  @Test func `is not a cancel that came everywhere`() {
    #expect(Self.everywhere(schedules: 100).isAsExpected)
    let one = Self.everywhere(schedules: 1).scenarios[0]
    #expect(one.untested.sentences.contains { $0.hasSuffix("first was never cancelled") })
  }

  /// What a cancel calls at once is the program's: here the session hands work to its queue.
  @Test func `is no escape where a cancel comes while a session has the request`() {
    let report = SampleReport.report(
      of: """
        { "version": 1, "scenarios": [
          { "name": "rates", "about": "Cancelled everywhere.", "system": "locked-cache",
            "world": { "server": { "GET /rate": { "delay": "1s" } } },
            "script": [ { "do": "show", "as": "one" }, { "cancel": "one", "at": "everywhere" } ],
            "check": [ "single-flight" ], "search": { "schedules": 100 },
            "expect": { "naive": "holds", "hardened": "holds", "actor-naive": "holds", "actor": "holds" } } ] }
        """)
    #expect(report.scenarios[0].variants.map(\.violations.count) == [0, 0, 0, 0])
    #expect(report.isAsExpected)
  }

  @Test func `says nothing of a variant whose search ends when it has broken`() throws {
    let scenario = try ScenarioFile(Array(Self.text("").utf8), named: "t.json", in: Catalogued.vocabulary)
      .scenarios[0]
    let naive = ScenarioRunner(scenario: scenario, type: scenario.type).run().variants[0]
    #expect(naive.report.schedules == 1)
    #expect(naive.untested == nil)
  }

  @Test(arguments: [
    (#""untested": { "hardened": ["no-orphaned-wirte"] },"#, "did you mean \"no-orphaned-write\"?"),
    (#""untested": { "hardened": ["store write: ok"] },"#, "\"store write: never\""),
    (#""untested": { "naive": ["no-orphaned-write"] },"#, "unknown variant \"naive\"; allowed: \"hardened\""),
    (#""untested": { "hardened": [] },"#, "is empty"),
  ])
  func `is named as the scenario names it, of a variant that is to hold`(member: String, sentence: String) {
    let errors = ExampleFile.errors(with: #""expect": {"#, as: member + #""expect": {"#)
    #expect(errors.count == 1)
    #expect(errors.first?.contains(sentence) == true, "\(errors)")
  }
}
