import Testing

@testable import ScenarioFiles

@Suite struct CatalogTests {
  private func flaws(_ change: (inout SystemDescriptor) -> Void) -> [DescriptorFlaw] {
    var descriptor = SystemDescriptor.inbox
    change(&descriptor)
    return Vocabulary(systems: [descriptor]).flaws
  }

  @Test func `good descriptors have no flaws`() {
    #expect(Vocabulary.test.flaws.isEmpty)
  }

  @Test func `a descriptor that contradicts itself is found out`() {
    #expect(flaws { $0.variants = [] } == [.empty(system: "inbox-refresh", what: "variant")])
    #expect(flaws { $0.actions = [] } == [.empty(system: "inbox-refresh", what: "action")])
    #expect(
      flaws { $0.variants.append($0.variants[0]) }
        == [.repeated(system: "inbox-refresh", what: "variants", name: "naive")])
    #expect(
      flaws { $0.actions[0].arguments = [.string("at", "")] }
        == [.reservedArgument(system: "inbox-refresh", action: "refresh", name: "at")])
    #expect(
      flaws { $0.settings = [.integer("n", "", in: 1...2, default: 3)] }
        == [.wrongDefault(system: "inbox-refresh", parameter: "n")])
    #expect(
      flaws { $0.settings = [.bool("b", "")] } == [.missingDefault(system: "inbox-refresh", setting: "b")])
    #expect(
      flaws { $0.invariants.append(.init("deadlock", "")) }
        == [.clashesWithBuiltIn(system: "inbox-refresh", invariant: "deadlock")])
    #expect(
      flaws { $0.fakes[1].operations[0].faults.append("sometimes") }
        == [.unknownFault(system: "inbox-refresh", operation: "write", fault: "sometimes")])
    #expect(
      flaws { $0.variants[0].name = "two words" }
        == [.badVariantName(system: "inbox-refresh", variant: "two words")])
    #expect(
      flaws { $0.variants[0].breaks = ["owners-appart"] }.map(\.description).first?.hasPrefix(
        #"in the descriptor of "inbox-refresh", "naive" breaks "owners-appart", and there is no such rule of the "#
          + #"boundaries; did you mean "owners-apart"?"#) == true)
    #expect(
      flaws { $0.variants[0].untested = ["store wirte", "store write: torn", "network GET /inbox"] }.map {
        "\($0)"
      }.first?.contains(#""store wirte" as untested, and there is no such part; did you mean "store write"?"#)
        == true)
    #expect(Vocabulary(systems: [.inbox, .inbox]).flaws.count == 1)
  }
}
