import Foundation
import SimulatorHTTP
import SimulatorTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// page: seam
protocol Loader: Sendable { func data(for request: URLRequest) async throws -> (Data, URLResponse) }
extension URLSession: Loader {}
extension FakeHTTP: Loader {}
// page: end

// page: inbox
@MainActor final class Inbox {
  private(set) var letters: [String] = []

  func listen(to pushes: AsyncStream<String>) async {
    for await letter in pushes where !letters.contains(letter) { letters.append(letter) }
  }
}
// page: end

// page: login
protocol Keychain: Sendable { func write(_ content: some Sendable, for key: String) throws }
extension FakeSyncStore: Keychain {}

actor Login {
  private(set) var token = "old"
  private let keychain: any Keychain

  init(_ keychain: any Keychain) { self.keychain = keychain }

  func renew() async throws {
    try keychain.write("new", for: "token")
    token = "new"
  }
}
// page: end

struct KeychainLocked: Error {}

// page: url-session-model
@MainActor final class ProfileModel {
  private(set) var name: String?

  func load() async throws {
    let request = URLRequest(url: URL(string: "https://example.org/profile")!)
    let (data, _) = try await URLSession.shared.data(for: request)
    name = String(decoding: data, as: UTF8.self)
  }
}
// page: end

@Suite("Fakes") struct FakeTests {
  // page: url-session-test
  @Test(.simulated) @MainActor func showsTheProfile() async throws {
    FakeHTTP([
      "GET /profile": [
        FakeBehavior(delay: .between(.zero, and: .seconds(5)), replies: [.ok("Ada"), .offline])
      ]
    ]).interceptURLSession(in: try #require(Simulation.current))
    let model = ProfileModel()
    do {
      try await model.load()
      #expect(model.name == "Ada")
    } catch {
      #expect(model.name == nil)
    }
  }
  // page: end

  // page: offline
  @Test(.simulated) func sendsWhenTheTunnelIsOver() async throws {
    let tunnel = FakeConnection.offline(
      from: .between(.zero, and: .seconds(1)), for: .between(.seconds(1), and: .seconds(30)))
    let network = FakeNetwork(
      arrivalDelay: .milliseconds(200), delay: .milliseconds(200), connection: tunnel)
    var failures = 0
    while (try? await network.send(FakeNetwork.Request("PUT", "/letter"))) == nil {
      failures += 1
      try await Task.sleep(for: .seconds(5))
    }
    #expect(failures <= 6)
  }
  // page: end

  // page: events
  @Test(.simulated) @MainActor func showsEachLetterOnce() async throws {
    let pushes = FakeEventSource(
      ["letter 1", "letter 2"], pauses: [.between(.zero, and: .seconds(2))],
      behaviors: [
        FakeBehavior(delay: .between(.zero, and: .seconds(1)), faults: [.noFault, .arrivesTwice])
      ])
    let (inbox, stream) = (Inbox(), pushes.events())
    pushes.start()
    await inbox.listen(to: stream)
    #expect(inbox.letters.sorted() == ["letter 1", "letter 2"])
  }
  // page: end

  // page: keychain
  @Test(.simulated) func keepsItsTokenWhenTheDeviceIsLocked() async throws {
    let locked = FakeReply.failure(KeychainLocked(), named: "locked")
    let keychain = FakeSyncStore(
      ["write": [FakeBehavior(replies: [.ok(), locked])]], holding: ["token": "old"], named: "keychain")
    let login = Login(keychain)
    try? await login.renew()
    #expect(await login.token == keychain.value("token", as: String.self))
  }
  // page: end

  // page: received
  @Test(.simulated) func savesOnce() async throws {
    let http = FakeHTTP([
      "PUT /profile": [
        FakeBehavior(delay: .between(.zero, and: .seconds(5)), replies: [.ok("saved"), .offline])
      ]
    ])
    let loader: any Loader = http
    var request = URLRequest(url: URL(string: "https://example.org/profile")!)
    request.httpMethod = "PUT"
    _ = try? await loader.data(for: request)
    #expect(http.received("PUT /profile").once)
  }
  // page: end

  // page: timing
  @Test(.simulated) func asksBothAtTheSameSpeed() async throws {
    let slowTrain: FakeTiming = .between(.milliseconds(50), and: .seconds(5))
    let http = FakeHTTP([
      "GET /profile": [FakeBehavior(delay: slowTrain, replies: [.ok("Ada")])],
      "GET /friends": [FakeBehavior(delay: slowTrain, replies: [.ok("[]")])],
    ])
    let loader: any Loader = http
    async let profile = loader.data(for: URLRequest(url: URL(string: "https://example.org/profile")!))
    async let friends = loader.data(for: URLRequest(url: URL(string: "https://example.org/friends")!))
    #expect(try await profile.0 == Data("Ada".utf8))
    #expect(try await friends.0 == Data("[]".utf8))
  }
  // page: end
}
