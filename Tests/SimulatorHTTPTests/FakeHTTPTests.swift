import Foundation
import Simulator
import SimulatorHTTP
import SimulatorTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A seam as an app has it.
private protocol Loader: Sendable {
  func data(for request: URLRequest) async throws -> (Data, URLResponse)
}
extension URLSession: Loader {}
extension FakeHTTP: Loader {}

/// Another one.
private protocol DelegatingLoader: Sendable {
  func data(for request: URLRequest, delegate: (any URLSessionTaskDelegate)?) async throws -> (
    Data, URLResponse
  )
}
extension URLSession: DelegatingLoader {}
extension FakeHTTP: DelegatingLoader {}

@Suite struct `A fake HTTP server` {
  private let profile = URL(string: "https://example.org/profile?of=ada")!

  @Test(.simulated) func `answers with status, headers and body, at the given time`() async throws {
    let http = FakeHTTP([
      "GET /profile": [
        FakeBehavior(
          delay: .seconds(5), replies: [.status(201, "Ada", headers: ["ETag": "1"], named: "created")])
      ]
    ])
    let (data, response) = try await http.data(from: profile)
    let answer = try #require(response as? HTTPURLResponse)
    #expect(String(decoding: data, as: UTF8.self) == "Ada")
    #expect(answer.statusCode == 201)
    #expect(answer.value(forHTTPHeaderField: "etag") == "1")
    #expect(answer.url == profile)
    #expect(Simulation.current?.now == VirtualInstant(nanoseconds: 5_000_000_000))
  }

  @Test(.simulated) func `stands behind an app's own seam that is spelled like URLSession`() async throws {
    let loaders: [any Loader] = [FakeHTTP(otherwise: FakeBehavior(replies: [.ok("here")]))]
    let (data, _) = try await loaders[0].data(for: URLRequest(url: profile))
    #expect(String(decoding: data, as: UTF8.self) == "here")
  }

  @Test(.simulated) func `looks a route up by method and path, and has 404 for the rest`() async throws {
    let http = FakeHTTP(["PUT /profile": [FakeBehavior(replies: [.json(["name": "Ada"])])]])
    var put = URLRequest(url: profile)
    put.httpMethod = "PUT"
    put.httpBody = Data("x".utf8)
    let (data, response) = try await http.data(for: put)
    #expect(String(decoding: data, as: UTF8.self) == #"{"name":"Ada"}"#)
    #expect(
      (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Type") == "application/json")
    let (_, missing) = try await http.data(from: profile)
    #expect((missing as? HTTPURLResponse)?.statusCode == 404)
    #expect(http.calls.map(\.call.operation) == ["PUT /profile", "GET /profile"])
    #expect(http.calls.first?.call.detail == "?of=ada x")
  }

  @Test(
    .simulated,
    arguments: [
      (FakeReply.offline, URLError.Code.notConnectedToInternet), (.timedOut, .timedOut),
      (.connectionLost, .networkConnectionLost), (.failure(.dnsLookupFailed), .dnsLookupFailed),
    ]) func `fails as URLSession does`(reply: FakeReply, code: URLError.Code) async throws
  {
    let http = FakeHTTP(otherwise: FakeBehavior(replies: [reply]))
    let error = await #expect(throws: URLError.self) { try await http.data(from: profile) }
    #expect(error?.code == code)
  }

  @Test(.simulated) func `an injected fault is a lost connection`() async throws {
    let http = FakeHTTP(otherwise: FakeBehavior(replies: [.ok()], faults: [.beforeCommit]))
    let error = await #expect(throws: URLError.self) { try await http.data(from: profile) }
    #expect(error?.code == .networkConnectionLost)
  }

  @Test(.simulated(exhaustiveDeviationBound: 2))
  func `a cancelled load ends at once, with the error of URLSession`()
    async throws
  {
    let http = FakeHTTP(otherwise: FakeBehavior(delay: .seconds(5), replies: [.ok()]))
    let load = Task { try await http.data(from: profile) }
    try await Task.sleep(for: .seconds(1))
    load.cancel()
    let error = await #expect(throws: URLError.self) { try await load.value }
    #expect(error?.code == .cancelled)
    #expect(Simulation.current?.now == VirtualInstant(nanoseconds: 1_000_000_000))
  }

  @Test(.simulated) func `its timing is a choice of the search`() async throws {
    let http = FakeHTTP(
      otherwise: FakeBehavior(delay: .between(.seconds(1), and: .seconds(9)), replies: [.ok(), .offline]))
    _ = try? await http.data(from: profile)
    let simulation = try #require(Simulation.current)
    #expect([1, 9].contains(simulation.now.nanoseconds / 1_000_000_000))
  }

  @Test(.simulated) func `a route with a query goes before the one without`() async throws {
    let http = FakeHTTP([
      "GET /profile": [FakeBehavior(replies: [.ok("any")])],
      "GET /profile?of=ada": [FakeBehavior(replies: [.ok("Ada")])],
    ])
    let (ada, _) = try await http.data(from: profile)
    let (more, _) = try await http.data(from: URL(string: "https://example.org/profile/?size=2&of=%61da")!)
    let (any, _) = try await http.data(from: URL(string: "https://example.org/profile?of=bo")!)
    #expect([ada, more, any].map { String(decoding: $0, as: UTF8.self) } == ["Ada", "Ada", "any"])
    #expect(http.received("GET /profile?of=ada").twice)
  }

  @Test(arguments: [
    ("/profile", "write a method, a space and a path, as `GET /profile`"),
    ("GET profile", "write a method, a space and a path"),
    ("GET /profile#top", "write a method, a space and a path"),
    ("GET https://example.org/profile", "write a method, a space and a path"),
    ("GET /profiles/?of=ada", "write its path without the last slash"),
  ])
  func `refuses a route that no request asks for, and says what to write`(_ route: String, _ cure: String)
    async throws
  {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [route] in
      _ = FakeHTTP([route: [FakeBehavior()]])
    }
    let said = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(said.contains("no request asks the fake http for “\(route)”: \(cure)"))
  }

  @Test(.simulated) func `its server may make the answer`() async throws {
    let http = FakeHTTP(otherwise: FakeBehavior(replies: [.ok()])) { request, reply in
      .status(reply.status, request.url?.query ?? "")
    }
    let (data, _) = try await http.data(from: profile)
    #expect(String(decoding: data, as: UTF8.self) == "of=ada")
  }

  @Test func `works outside a simulation too`() async throws {
    let (_, response) = try await FakeHTTP(otherwise: FakeBehavior(replies: [.ok()])).data(from: profile)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
  }
}
