import Simulator
import Testing

/// Which route of a fake network takes a request.
@Suite struct `A route with a query` {
  /// The body with which a network of these routes answers a request for `path`: the text of the route, or nothing.
  private func answer(_ routes: [String], to path: String) async throws -> String {
    let network = FakeNetwork(
      Dictionary(uniqueKeysWithValues: routes.map { ($0, [FakeBehavior(replies: [.ok($0)])]) }))
    let body = try await network.send(FakeNetwork.Request("GET", path)).body
    // What it is called, and what it answers, is one route's.
    #expect(body.isEmpty || network.received(body).once)
    return body
  }

  @Test(arguments: [
    ("/list?page=2", "GET /list?page=2"), ("/list?page=3", "GET /list"), ("/list", "GET /list"),
    ("/list?", "GET /list"),
    ("/other?page=2", ""),
  ])
  func `goes before the one without`(_ path: String, _ route: String) async throws {
    #expect(FakeNetwork.Request("GET", path).route == "GET " + path.prefix { $0 != "?" })
    #expect(try await answer(["GET /list", "GET /list?page=2"], to: path) == route)
  }

  @Test(arguments: [
    "/list?page=2&of=ada", "/list?of=ada&page=2", "/list?size=9&of=ada&page=2", "/list?of=%61da&p%61ge=2",
    "/list?of=ada&of=bo&page=2",
  ])
  func `takes what has all of it, in any order and beside anything else`(_ path: String) async throws {
    #expect(try await answer(["GET /list?page=2&of=ada"], to: path) == "GET /list?page=2&of=ada")
  }

  @Test(arguments: [
    "/list?page=2", "/list?of=ada&page=22", "/list?of&page=2", "/list?of=ada%26page=2",
    "/list?of=ada%26page%3D2",
  ])
  func `does not take what lacks a part of it`(_ path: String) async throws {
    #expect(try await answer(["GET /list?page=2&of=ada"], to: path) == "")
  }

  @Test(arguments: [
    ("/list?page=2", "GET /list?page=2"), ("/list?x=1&of=ada&page=2", "GET /list?of=ada&page=2"),
    ("/list?of=ada", "GET /list"),
  ])
  func `that asks for more goes before one that asks for less`(_ path: String, _ route: String) async throws {
    #expect(
      try await answer(["GET /list", "GET /list?page=2", "GET /list?of=ada&page=2"], to: path) == route)
  }

  @Test(arguments: [
    ("GET /list?q=swift ui", "/list?q=swift%20ui"), ("GET /list?q=swift%20ui", "/list?q=swift ui"),
    ("GET /a b?q", "/a%20b?q="), ("GET /list?q=50%", "/list?q=50%25"), ("GET /list?q=a%3Db", "/list?q=a=b"),
  ])
  func `is the same with escapes and without`(_ route: String, _ path: String) async throws {
    #expect(try await answer([route], to: path) == route)
  }

  @Test func `is what an app's own call is looked up by too`() async throws {
    let network = FakeNetwork([
      "GET /list": [FakeBehavior(replies: [.ok("any")])],
      "GET /list?page=2": [FakeBehavior(replies: [.ok("second")])],
    ])
    var bodies: [String] = []
    for route in ["GET /list?page=2", "GET /list?page=3", "GET /else?page=3"] {
      bodies.append(try await network.exchange(route) { $0.reply.body })
    }
    #expect(bodies == ["second", "any", ""])
    #expect(network.calls.map(\.call.operation) == ["GET /list?page=2", "GET /list", "GET /else?page=3"])
  }
}
