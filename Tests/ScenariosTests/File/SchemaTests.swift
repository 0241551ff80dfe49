import Testing

@testable import Scenarios

@Suite struct SchemaTests {
  private let schema = ScenarioSchema(catalog: .test)

  private func mentions(_ name: String) -> Bool { schema.text.contains("\"\(name)\"") }

  @Test func `the schema mentions every name of the catalog`() {
    for card in Catalog.test.systems {
      #expect(mentions(card.name))
      for name in card.variants.map(\.name) + card.invariants.map(\.name) + card.settings.map(\.name) {
        #expect(mentions(name))
      }
      for action in card.actions {
        #expect(([action.name] + action.arguments.map(\.name)).allSatisfy(mentions))
      }
      for fake in card.fakes {
        #expect(mentions(fake.name))
        for operation in fake.operations {
          #expect(([operation.name] + operation.replies + operation.faults).allSatisfy(mentions))
        }
      }
    }
    #expect(BuiltInCheck.all.map(\.name).allSatisfy(mentions))
    #expect(StrategyCard.all.map(\.name).allSatisfy(mentions))
    #expect(OperationKey.allCases.map(\.rawValue).allSatisfy(mentions))
  }

  @Test func `an operation takes the names on its card and no others`() {
    #expect(schema.text.contains(#""enum": ["never", "before-commit", "after-commit", "torn"]"#))
    #expect(schema.text.contains(#""enum": ["ok", "offline", "500"]"#))
    #expect(schema.text.contains(#""enum": ["ok", "offline"]"#))
  }

  @Test func `the schema explains in the words of the cards`() {
    for card in Catalog.test.systems {
      let summaries = [card.summary] + card.variants.map(\.summary) + card.actions.map(\.summary)
      #expect((summaries + card.invariants.map(\.summary)).allSatisfy(mentions))
    }
  }

  @Test func `the schema is JSON that this reader accepts`() {
    #expect(JSONReader.read(Array(schema.text.utf8)).faults.isEmpty)
  }

  @Test(arguments: Catalog.test.systems)
  func `a system's worked example is a correct file`(card: SystemCard) throws {
    let text = WorkedExample(of: card).file.text
    #expect(throws: Never.self) { try ExampleFile.checked(text) }
  }

  @Test func `a system's name may hold what a reference may not`() {
    var card = SystemCard.counter
    card.name = "a/b c~d"
    let text = ScenarioSchema(catalog: Catalog(systems: [card])).text
    #expect(text.contains("#/$defs/system:%20a~1b%20c~0d"))
    #expect(text.contains("\"system: a/b c~d\""))
  }
}
