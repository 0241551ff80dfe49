import Search
import SimulatorTesting
import Testing

@Test(.simulated) @MainActor func yieldsUntilDone() async {
  let model = SearchModel { query in ["\(query) by Ada"] }
  model.queryChanged("swift")
  await Task.yield()
  await Task.yield()
  #expect(model.results == ["swift by Ada"])
}

@Test(.simulated) @MainActor func sleepsUntilDone() async throws {
  let network = FakeNetwork(delay: .between(.milliseconds(10), and: .milliseconds(200)))
  let model = SearchModel { query in
    _ = try? await network.send(FakeNetwork.Request("GET", "/search"))
    return ["\(query) by Ada"]
  }
  model.queryChanged("swift")
  try await Task.sleep(for: .milliseconds(100))
  #expect(model.results == ["swift by Ada"])
}
