import Search
import SimulatorTesting
import Testing

@Suite("A test that waits for what it means") @MainActor struct WaitingTests {
  // page: waits-for-the-task
  @Test(.simulated) func waitsForTheTask() async {
    let model = SearchModel { query in ["\(query) by Ada"] }
    await model.queryChanged("swift").value
    #expect(model.results == ["swift by Ada"])
  }
  // page: end

  // page: says-by-when
  @Test(.simulated) func saysByWhen() async {
    let network = FakeNetwork(delay: .between(.milliseconds(10), and: .milliseconds(200)))
    let model = SearchModel { query in
      _ = try? await network.send(FakeNetwork.Request("GET", "/search"))
      return ["\(query) by Ada"]
    }
    Simulation.current?.eventually("results are shown", within: .milliseconds(200)) {
      MainActor.assumeIsolated { !model.results.isEmpty }
    }
    model.queryChanged("swift")
  }
  // page: end
}
