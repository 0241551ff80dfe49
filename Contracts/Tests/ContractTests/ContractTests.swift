import Contracts
import Testing

// One after the other: a search forks, and times of the real part are real.
@Suite(.serialized) struct Contract {
  @Suite(.serialized) struct `Store facts` {
    @Test(arguments: StoreFacts.all.indices)
    func `hold of SQLite, and of the fake or as the table says`(index: Int) async throws {
      let (condition, fact) = StoreFacts.all[index]
      let finding = try await StoreFacts.finding(fact, under: condition)
      #expect(fact.real.contains(finding.real), "\(fact)")
      #expect(finding.fake == fact.fake, "\(fact)")
    }
  }

  @Suite(.serialized) struct `Network facts` {
    @Test(arguments: NetworkFacts.all.indices)
    func `hold of URLSession, and of FakeHTTP or as the table says`(index: Int) async throws {
      let entry = NetworkFacts.all[index]
      let finding = try await NetworkFacts.finding(entry)
      #expect(entry.fact.real.contains(finding.real), "\(entry.fact)")
      #expect(finding.fake == entry.fact.fake, "\(entry.fact)")
    }

    @Test(arguments: ExchangeFacts.all.indices)
    func `hold of URLSession, and of FakeNetwork or as the table says`(index: Int) async throws {
      let entry = ExchangeFacts.all[index]
      let finding = try await ExchangeFacts.finding(entry)
      #expect(entry.fact.real.contains(finding.real), "\(entry.fact)")
      #expect(finding.fake == entry.fact.fake, "\(entry.fact)")
    }
  }
}
