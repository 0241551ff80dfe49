import Simulator
import Testing

@testable import ScenarioFiles

@Suite struct FormerWordTests {
  private static let search = #""schedules": 1000"#
  private static let call = #"{ "delay": "50ms" }"#

  private static func text(_ search: String, _ call: String) -> String {
    ExampleFile.with(Self.search, as: "\(Self.search), \(search)")
      .replacing(Self.call, with: "{ \(call) }")
  }

  @Test func `a file with former words means the same`() throws {
    let former = Self.text(
      #""steps": "overlapping", "stepsAtOneInstant": 7"#, #""reaches": "1s", "delay": "2s""#)
    let current = Self.text(
      #""steps": "preemptible", "stepLimitPerInstant": 7"#, #""arrivalDelay": "1s", "delay": "2s""#)
    let (old, new) = (
      try ExampleFile.checked(former).scenarios[0], try ExampleFile.checked(current).scenarios[0]
    )
    #expect(old.world == new.world)
    #expect(old.search == new.search)
    #expect(new.search.stepLimitPerInstant == 7)
    #expect(new.search.steps == .preemptible)
    #expect(new.world["network", "GET /inbox"]?.settings(forCall: 1).arrivalDelay == .fixed(.seconds(1)))
  }

  @Test func `each former word is noted with what to write now, and a current one is not`() throws {
    let former = Self.text(#""steps": "whole", "stepsAtOneInstant": 7"#, #""reaches": "1s""#)
    #expect(
      try ExampleFile.checked(former).formerWords.map { "\($0.position): \($0)" } == [
        #"7:94: "reaches" is now called "arrivalDelay"; write that, it means the same"#,
        #"15:68: "whole" is now called "atomic"; write that, it means the same"#,
        #"15:77: "stepsAtOneInstant" is now called "stepLimitPerInstant"; write that, it means the same"#,
      ])
    #expect(try ExampleFile.checked().formerWords == [])
  }

  @Test func `a former key beside the current one is an error`() {
    let both = Self.text(#""stepsAtOneInstant": 7, "stepLimitPerInstant": 8"#, #""delay": "1s""#)
    let errors = ExampleFile.errors(in: Array(both.utf8))
    #expect(errors.count == 1)
    #expect(
      errors.first?.hasPrefix(#"t.json:15:59: error: unknown key "stepsAtOneInstant" in "search""#) == true)
  }

  @Test func `the schema allows former words and marks them as deprecated`() throws {
    let former = Self.text(#""steps": "overlapping", "stepsAtOneInstant": 7"#, #""reaches": "1s""#)
    let schema = ScenarioSchema(vocabulary: .test).text
    #expect(try JSONSchema(schema).faults(in: former) == [])
    #expect(schema.contains(#""deprecated": true"#))
  }
}
