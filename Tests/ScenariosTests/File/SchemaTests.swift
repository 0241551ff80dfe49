import Testing

@testable import ScenarioFiles

@Suite struct SchemaTests {
  private let schema = ScenarioSchema(vocabulary: .test)

  private func mentions(_ name: String) -> Bool { schema.text.contains("\"\(name)\"") }

  @Test func `the schema mentions every name of the catalog`() {
    for descriptor in Vocabulary.test.systems {
      #expect(mentions(descriptor.name))
      for name in descriptor.variants.map(\.name) + descriptor.invariants.map(\.name)
        + descriptor.settings.map(\.name)
      {
        #expect(mentions(name))
      }
      for action in descriptor.actions {
        #expect(([action.name] + action.arguments.map(\.name)).allSatisfy(mentions))
      }
      for fake in descriptor.fakes {
        #expect(mentions(fake.name))
        for operation in fake.operations {
          #expect(([operation.name] + operation.replies + operation.faults).allSatisfy(mentions))
        }
      }
    }
    #expect(BuiltInCheck.all.map(\.name).allSatisfy(mentions))
    #expect(StrategyDescriptor.all.map(\.name).allSatisfy(mentions))
    #expect(OperationKey.allCases.map(\.rawValue).allSatisfy(mentions))
  }

  @Test func `an operation takes the names in its descriptor and no others`() {
    #expect(schema.text.contains(#""enum": ["never", "before-commit", "after-commit", "torn"]"#))
    #expect(schema.text.contains(#""enum": ["ok", "offline", "500"]"#))
    #expect(schema.text.contains(#""enum": ["ok", "offline"]"#))
  }

  @Test func `the schema explains in the words of the descriptors`() {
    for descriptor in Vocabulary.test.systems {
      let summaries =
        [descriptor.summary] + descriptor.variants.map(\.summary) + descriptor.actions.map(\.summary)
      #expect((summaries + descriptor.invariants.map(\.summary)).allSatisfy(mentions))
    }
  }

  @Test func `the schema is JSON that this reader accepts`() {
    #expect(JSONReader.read(Array(schema.text.utf8)).faults.isEmpty)
  }

  @Test(arguments: Vocabulary.test.systems)
  func `a system's worked example is a correct file`(descriptor: SystemDescriptor) throws {
    let text = WorkedExample(of: descriptor).file.text
    #expect(throws: Never.self) { try ExampleFile.checked(text) }
  }

  @Test(arguments: Catalogued.vocabulary.systems)
  func `the schema of one system knows its names and no other system`(descriptor: SystemDescriptor) throws {
    let text = ScenarioSchema(vocabulary: Catalogued.vocabulary.only(descriptor.name)).text
    let schema = try JSONSchema(text)
    #expect(try schema.faults(in: WorkedExample(of: descriptor).file.text) == [])
    let others = Catalogued.vocabulary.systems.filter { $0.name != descriptor.name }
    #expect(others.allSatisfy { !text.contains("\"system: \($0.name)\"") })
    let other = try #require(others.first)
    #expect(try !schema.faults(in: WorkedExample(of: other).file.text).isEmpty)
  }

  @Test func `a system's name may hold what a reference may not`() {
    var descriptor = SystemDescriptor.counter
    descriptor.name = "a/b c~d"
    let text = ScenarioSchema(vocabulary: Vocabulary(systems: [descriptor])).text
    #expect(text.contains("#/$defs/system:%20a~1b%20c~0d"))
    #expect(text.contains("\"system: a/b c~d\""))
  }
}
