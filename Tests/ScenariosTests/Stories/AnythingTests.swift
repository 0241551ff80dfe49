import Foundation
import Simulator
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// What a scenario file leaves open by the word `"anything"`.
@Suite struct `Anything in a scenario file` {
  private static let line = #"{ "do": "refresh", "as": "first", "at": "0s" },"#
  private static let open =
    #"{ "do": "anything", "actions": ["refresh", "open"], "atMost": 3, "cancels": false },"#

  private static func scenario(_ line: String = open) throws -> Scenario {
    let text = ExampleFile.with(Self.line, as: Self.line + line)
    return try ExampleFile.checked(text).scenarios[0]
  }

  @Test func `a line has every action that it names, with every choice of its arguments`() throws {
    guard case .anything(let line) = try Self.scenario().script[1] else {
      Issue.record("no such line")
      return
    }
    #expect(line.atMost == 3)
    #expect(!line.cancels)
    // A letter of two, a page of three, a linger that is fixed, and two truths.
    #expect(
      line.steps.map(\.text) == [
        "refresh", "open one 1 false", "open one 1 true", "open one 99 false", "open one 99 true",
        "open two 1 false", "open two 1 true", "open two 99 false", "open two 99 true",
      ])
  }

  @Test func `a line that says no more has every action, six times, and cancels`() throws {
    guard case .anything(let line) = try Self.scenario(#"{ "do": "anything" },"#).script[1] else {
      Issue.record("no such line")
      return
    }
    #expect(line.atMost == 6)
    #expect(line.cancels)
    #expect(Set(line.steps.map(\.action)) == ["refresh", "open", "dismiss"])
  }

  @Test(arguments: [
    (#"{ "do": "anything", "actions": ["refesh"] },"#, "did you mean \"refresh\"?"),
    (#"{ "do": "anything", "actions": [] },"#, "\"actions\" is empty"),
    (#"{ "do": "anything", "atMost": 17 },"#, "from 1 to 16"),
    (#"{ "do": "anything", "at": "1s" },"#, "unknown key \"at\" in a line that does anything"),
    (#"{ "do": "anything", "cancels": "no" },"#, "true or false"),
  ])
  func `what is wrong in a line is told with its cure`(line: String, sentence: String) {
    let errors = ExampleFile.errors(with: Self.line, as: Self.line + line)
    #expect(errors.count == 1)
    #expect(errors.first?.contains(sentence) == true, "\(errors)")
  }

  @Test func `a world may answer anything, as a whole, by fake and by operation`() throws {
    let world = try #require(ExampleFile.text.firstRange(of: #""world""#))
    let script = try #require(ExampleFile.text.firstRange(of: #""script""#))
    func checked(_ text: String) throws -> WorldScript {
      let file = ExampleFile.text.replacingCharacters(
        in: world.lowerBound..<script.lowerBound, with: text + ",\n")
      return try ExampleFile.checked(file).scenarios[0].world
    }
    let all = try checked(#""world": "anything""#)
    #expect(all.offline.count == 1)
    var connected = all
    connected.offline = []
    #expect(try checked(#""world": { "network": "anything", "store": "anything" }"#) == connected)
    #expect(
      try checked(#""world": { "network": "anything", "store": { "write": "anything" } }"#) == connected)
    let write = all["store", "write"]?.everyCall
    #expect(write?.fails?.values == ["never", "before-commit", "after-commit", "torn"])
    #expect(write?.delay == .alternatives([.milliseconds(50), .seconds(5)]))
    #expect(write?.ignoresCancel?.values == [false, true])
    #expect(write?.spend == nil)
    #expect(all["network", "GET /letter"]?.everyCall.ignoresCancel == nil)
  }

  @Test func `settings may be anything`() throws {
    let fixed = try ExampleFile.checked().scenarios[0]
    #expect(fixed.offers.isEmpty)
    let text = ExampleFile.with(#"{ "staleAfter": "5m" }"#, as: #""anything""#)
    // Its only setting has a default and nothing among which to choose.
    #expect(try ExampleFile.checked(text).scenarios[0].offers.isEmpty)
  }

  @Test(arguments: [
    (#"{ "deviations": 2 }"#, Optional(2), Strategies.StoryBound?.none),
    (
      #"{ "deviations": 1, "actions": 2 }"#, nil, Strategies.StoryBound(actions: 2, answers: 1, deviations: 1)
    ),
    (
      #"{ "deviations": 0, "actions": 3, "answers": 0 }"#, nil,
      Strategies.StoryBound(actions: 3, answers: 0, deviations: 0)
    ),
  ])
  func `what is exhausted is schedules or stories`(
    text: String, deviations: Int?, bound: Strategies.StoryBound?
  )
    throws
  {
    let search = try ExampleFile.checked(ExampleFile.with(#"{ "deviations": 2 }"#, as: text)).scenarios[0]
      .search
    #expect(search.exhaustDeviations == deviations)
    #expect(search.bound == bound)
  }

  @Test func `an action of the name is refused, for it would stand for every action`() {
    var descriptor = SystemDescriptor.counter
    descriptor.actions[0].name = "anything"
    let flaws = Vocabulary(systems: [descriptor]).flaws
    #expect(flaws == [.reservedAction(system: "counter")])
  }
}

@Suite struct `What a made-up story chooses from` {
  @Test(arguments: [
    (SystemDescriptor.Parameter.bool("b", ""), [ParameterValue.bool(false), .bool(true)]),
    (.bool("b", "", default: true), [.bool(true), .bool(false)]),
    (.integer("i", "", in: 1...3), [.integer(1), .integer(2), .integer(3)]),
    (.integer("i", "", in: 1...3, default: 2), [.integer(2), .integer(1), .integer(3)]),
    (.integer("i", "", in: 0...100), [.integer(0), .integer(100)]),
    (.integer("i", ""), [.integer(1), .integer(2)]),
    (.integer("i", "", default: 7), [.integer(7)]),
    (.integer("i", "", in: 1...100, among: [1, 3]), [.integer(1), .integer(3)]),
    (.string("s", ""), [.string("one"), .string("two")]),
    (.string("s", "", default: "soup"), [.string("soup")]),
    (.string("s", "", default: "soup", among: ["cake", "soup"]), [.string("soup"), .string("cake")]),
    (.duration("d", "", default: .seconds(3)), [.duration(.seconds(3))]),
  ])
  func `the default comes first, and nothing twice`(
    parameter: SystemDescriptor.Parameter, values: [ParameterValue]
  ) {
    #expect(parameter.offered == values)
  }

  @Test func `an offer of another kind is a flaw of the descriptor`() {
    var descriptor = SystemDescriptor.counter
    descriptor.actions[0].arguments = [.integer("by", "How far.", in: 1...5, among: [7])]
    #expect(Vocabulary(systems: [descriptor]).flaws == [.wrongDefault(system: "counter", parameter: "by")])
  }
}

@Suite struct `Made-up scenarios` {
  @Test(arguments: [MadeUp.all(2), .all(16), .drawn(6), .drawn(1)])
  func `have a name by which they are found again`(made: MadeUp) {
    let name = made.name(of: .inbox)
    #expect(MadeUp(named: name, of: .inbox) == made)
    #expect(MadeUp(named: name, of: .counter) == nil)
  }

  @Test(arguments: [
    "inbox-refresh.stories-0", "inbox-refresh.stories-17", "inbox-refresh.stories-06", "inbox-refresh",
  ])
  func `no other name is one`(name: String) {
    #expect(MadeUp(named: name, of: .inbox) == nil)
  }

  @Test func `every story is tried of what is meant to hold, and stories are drawn of all`() {
    var descriptor = SystemDescriptor.inbox
    descriptor.variants[0].isSound = false
    let scenarios = MadeUp.scenarios(of: descriptor, StoryOptions(), only: [])
    #expect(scenarios.map(\.name) == ["inbox-refresh.all-stories-2", "inbox-refresh.stories-6"])
    #expect(scenarios.map { $0.expectations.map(\.variant) } == [["hardened"], ["naive", "hardened"]])
    #expect(scenarios[1].expectations.map(\.isOpen) == [true, false])
    #expect(MadeUp.scenarios(of: descriptor, StoryOptions(), only: ["naive"]).count == 1)
  }

  @Test func `an invariant that needs a bound and has no usual one is not judged`() {
    let checks = MadeUp.drawn(1).scenario(of: .inbox).checks.map(\.invariant)
    #expect(checks == ["nothing-after-dismissal", "no-orphaned-write"])
  }
}
