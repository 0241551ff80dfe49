import Testing

@testable import ScenarioFiles
@testable import Scenarios

@Suite struct FirstScenarioTests {
  private static let schema = Result {
    try JSONSchema(ScenarioSchema(vocabulary: Catalogued.vocabulary).text)
  }

  @Test(arguments: Catalogued.vocabulary.systems)
  func `every system has one that the schema admits and that can be loaded`(
    descriptor: SystemDescriptor
  ) throws {
    let text = FirstScenario(descriptor: descriptor).text
    #expect(try Self.schema.get().faults(in: text) == [])
    let file = try ScenarioFile(Array(text.utf8), named: "t.json", in: Catalogued.vocabulary)
    let scenario = try #require(file.scenarios.first)
    #expect(scenario.expectations.map(\.variant) == descriptor.variants.map(\.name))
    #expect(scenario.script.count == 2)
    #expect(!scenario.about.isEmpty)
    #expect(Set(scenario.world.entries.map(\.fake)).count == descriptor.fakes.count)
  }

  @Test func `the schema refuses one that is wrong`() throws {
    let text = FirstScenario(descriptor: Catalogued.vocabulary.systems[0]).text
    let schema = try Self.schema.get()
    #expect(try !schema.faults(in: text.replacing("\"do\"", with: "\"does\"")).isEmpty)
    #expect(try !schema.faults(in: text.replacing("\"delay\": \"50ms\"", with: "\"delay\": 50")).isEmpty)
  }

  @Test func `what was seen of a variant stands in it`() {
    var first = FirstScenario(descriptor: .counter)
    let variant = SystemDescriptor.counter.variants[0].name
    first.outcomes = [SeenOutcome(variant: variant, outcome: .violates(["a", "b"]))]
    #expect(first.text.contains("\"\(variant)\": [\"a\", \"b\"]"))
  }
}
