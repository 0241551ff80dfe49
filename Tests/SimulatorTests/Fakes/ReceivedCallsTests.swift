import Simulator
import Testing

@Suite struct `What is expected of a fake's calls` {
  private struct Refused: Error {}

  private func send(_ method: String, _ path: String, on network: FakeNetwork) async throws {
    _ = try await network.send(FakeNetwork.Request(method, path))
  }

  @Test func `counts them by operation`() async throws {
    let network = FakeNetwork()
    try await send("GET", "/a", on: network)
    try await send("GET", "/b", on: network)
    try await send("GET", "/b", on: network)
    #expect(network.received("GET /a").once)
    #expect(network.received("GET /a").atMostOnce)
    #expect(network.received("GET /b").twice)
    #expect(!network.received("GET /b").atMostOnce)
    #expect(network.received("GET /b").times(2...))
    #expect(!network.received("GET /b").times(3))
    #expect(network.received("PUT /a").never)
    #expect(!network.received("PUT /a").atAll)
  }

  @Test func `knows their order`() async throws {
    let network = FakeNetwork()
    try await send("GET", "/a", on: network)
    try await send("GET", "/b", on: network)
    #expect(network.received("GET /a").before("GET /b"))
    #expect(network.received("GET /b").after("GET /a"))
    #expect(!network.received("GET /b").before("GET /a"))
    #expect(!network.received("GET /a").before("GET /c"))
    try await send("GET", "/a", on: network)
    #expect(!network.received("GET /a").before("GET /b"))
  }

  @Test func `narrows them to a detail`() async throws {
    let store = FakeStore()
    try await store.write("x", for: "draft")
    try await store.write([.set("letter", 1), .remove("draft")])
    #expect(store.received("write").with("draft").twice)
    #expect(store.received("write").with("letter").once)
    #expect(store.received("write").with("photo").never)
  }

  @Test func `knows how they went`() async throws {
    let network = FakeNetwork(["GET /a": [FakeBehavior(), FakeBehavior(replies: [.offline])]])
    try await send("GET", "/a", on: network)
    #expect(network.received("GET /a").successfully)
    try? await send("GET", "/a", on: network)
    #expect(!network.received("GET /a").successfully)
    #expect(network.received("GET /a").completely)
    #expect(!network.received("GET /b").successfully)
    #expect(network.received("GET /a").onlyWhileWanted)
  }

  @Test func `is a sentence`() async throws {
    let network = FakeNetwork(["GET /a": [FakeBehavior(replies: [.offline])]])
    #expect("\(network.received("GET /a"))" == "network received GET /a never")
    try? await send("GET", "/a", on: network)
    #expect("\(network.received("GET /a"))" == "network received GET /a once: 1 threw offline")
    #expect("\(network.received("GET /b"))" == "network received GET /b never: instead it received GET /a")
  }
}
