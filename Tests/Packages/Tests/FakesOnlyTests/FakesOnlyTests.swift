import SimulatorFakes
import Testing
import XCTest

/// What a cart is saved in, and what tells it of new prices.
private func total(
  of store: some FakeStore.KeyValueStore, after prices: AsyncStream<Int>
) async throws -> Int {
  var total = try await store.read("total", as: Int.self) ?? 0
  for await price in prices { total += price }
  try await store.write(total, for: "total")
  return total
}

@Suite struct FakesOnlyTests {
  @Test func `fakes work in an ordinary test, in real time and by their first possibility`() async throws {
    let store = FakeStore(readDelay: .milliseconds(1), holding: ["total": 1])
    let prices = FakeEventSource([2, 3], pauses: [.oneOf(.milliseconds(1), .seconds(60))])
    let stream = prices.events()
    prices.start()
    #expect(try await total(of: store, after: stream) == 6)
    #expect(store.received("write").with("total").once)
    #expect(await store.value("total", as: Int.self) == 6)
  }

  @Test func `a fault that is the first one strikes`() async throws {
    let network = FakeNetwork(["GET /prices": [FakeBehavior(replies: [.offline])]])
    await #expect(throws: FakeNetwork.Failure.offline) {
      try await network.send(FakeNetwork.Request("GET", "/prices"))
    }
    let keychain = FakeSyncStore(["write": [FakeBehavior(faults: [.beforeCommit])]])
    #expect(throws: InjectedFault.self) { try keychain.write("secret", for: "token") }
  }
}

final class FakesOnlyXCTests: XCTestCase {
  func testFakesWorkInXCTest() async throws {
    let tokens = FakeTokenService(delay: .milliseconds(1), lifetime: .seconds(60))
    let token = try await tokens.refresh()
    XCTAssertTrue(tokens.accepts(token.text))
    XCTAssertTrue(tokens.received("refresh").once)
  }
}
