import Foundation
import SimulatorHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server and the way to it do: SwiftNIO behind `URLSession`, and `FakeHTTP` behind the same.
public enum NetworkFacts {
  /// A fact, with the site that it needs.
  public struct Entry: Sendable {
    let routes: [String: Site.Answer]
    /// The fact itself.
    public let fact: Fact<Client>
  }

  public static let all: [Entry] = answers + pieces + redirects + troubles + cancels

  static func entry(
    _ name: String, _ real: Set<String>, fake: Set<String>? = nil, because difference: String? = nil,
    at routes: [String: Site.Answer], _ prove: @escaping @Sendable (Client) async throws -> String
  ) -> Entry {
    Entry(routes: routes, fact: Fact(name, real, fake: fake, because: difference, prove))
  }

  /// What one fact comes to with a real server, and with the fake under many schedules.
  public static func finding(_ entry: Entry) async throws -> Finding {
    let site = Site(entry.routes)
    let server = try await RealServer(site)
    let real = await entry.fact.outcome(with: Client(site, at: server.base))
    try await server.close()
    guard let base = URL(string: "http://127.0.0.1:8080") else { throw URLError(.badURL) }
    let fake = everyOutcome { simulation in
      let site = Site(entry.routes)
      site.served().interceptURLSession(in: simulation)
      return await entry.fact.outcome(with: Client(site, at: base))
    }
    return Finding(entry.fact, real: real, fake: fake)
  }

  /// What all facts come to, one after the other.
  public static func findings() async throws -> [Finding] { try await all.mapInTurn(finding) }
}

extension NetworkFacts {
  private static let answers: [Entry] = [
    entry(
      "An answer has a status, header fields and a body", ["200 “Ada” de"],
      at: [
        "GET /profile": .init(headers: ["Content-Language": "de"])
      ]
    ) { client in
      let (data, response) = try await client.answer(to: try client.request("GET", "/profile"))
      let language = response.value(forHTTPHeaderField: "content-language") ?? "no language"
      return "\(response.statusCode) “\(String(decoding: data, as: UTF8.self))” \(language)"
    },
    entry(
      "A status that tells of a failure is an answer, and no error", ["404 “none”, then 503 “later”"],
      at: [
        "GET /none": .init(status: 404, pieces: ["none"]),
        "GET /later": .init(status: 503, pieces: ["later"]),
      ]
    ) { client in "\(try await client.ask("GET", "/none")), then \(try await client.ask("GET", "/later"))" },
    entry("A route that the server does not know is 404", ["404 “”"], at: [:]) { client in
      try await client.ask("GET", "/unknown")
    },
    entry(
      "A route with a query of its own goes before the one without", ["first, second, first"],
      at: [
        "GET /list": .init(pieces: ["first"]), "GET /list?page=2": .init(pieces: ["second"]),
      ]
    ) { client in
      try await ["/list", "/list?page=2", "/list?page=3"].mapInTurn { path in
        String(decoding: try await client.answer(to: try client.request("GET", path)).0, as: UTF8.self)
      }.joined(separator: ", ")
    },
    entry(
      "A delegate is told how much of an upload was sent",
      ["12 bytes sent, the server acted on PUT /profile Ada Lovelace"], at: ["PUT /profile": .init()]
    ) { client in
      let sent = try await client.observed(try client.request("PUT", "/profile"), from: "Ada Lovelace").sent
      return "\(sent), the server acted on \(client.site.acted)"
    },
    entry(
      "A delegate is told the same of a request that has a body and is no upload", ["12 bytes sent"],
      at: ["PUT /profile": .init()]
    ) { client in
      try await client.observed(try client.request("PUT", "/profile", body: "Ada Lovelace")).sent
    },
    entry(
      "What is uploaded reaches the server whole",
      ["200 “Ada”, the server acted on PUT /profile Ada Lovelace"],
      at: [
        "PUT /profile": .init()
      ]
    ) { client in
      let answer = try await client.ask("PUT", "/profile", body: "Ada Lovelace")
      return "\(answer), the server acted on \(client.site.acted)"
    },
    entry(
      "A tag that still holds brings 304 and no body", ["200 “Ada” \"1\", then 304 “”"],
      at: [
        "GET /profile": .init(tag: "\"1\"")
      ]
    ) { client in
      let (data, response) = try await client.answer(to: try client.request("GET", "/profile"))
      let tag = response.value(forHTTPHeaderField: "ETag") ?? "no tag"
      var again = try client.request("GET", "/profile")
      again.setValue(tag, forHTTPHeaderField: "If-None-Match")
      let first = "\(response.statusCode) “\(String(decoding: data, as: UTF8.self))” \(tag)"
      return "\(first), then \(try await client.ask(again))"
    },
    entry(
      "A delegate answers a challenge, and the request is sent again",
      ["401, challenge 0 of home, 200, Ada, over, the server acted on GET /profile, GET /profile"],
      at: ["GET /profile": .init(password: "secret")]
    ) { client in
      let observer = try await client.observed(
        try client.request("GET", "/profile"), by: Observer(password: "secret"))
      return "\(observer.told), the server acted on \(client.site.acted)"
    },
    entry(
      "A delegate that refuses a challenge cancels the request",
      ["401, challenge 0 of home, URLError.cancelled"], at: ["GET /profile": .init(password: "secret")]
    ) { client in
      try await client.observed(try client.request("GET", "/profile")).told
    },
    entry(
      "Retry-After is told, and the session does not try again by itself",
      ["429 after 7, the server acted on GET /busy"],
      at: [
        "GET /busy": .init(status: 429, headers: ["Retry-After": "7"], pieces: [])
      ]
    ) { client in
      let (_, response) = try await client.answer(to: try client.request("GET", "/busy"))
      let seconds = response.value(forHTTPHeaderField: "Retry-After") ?? "?"
      return "\(response.statusCode) after \(seconds), the server acted on \(client.site.acted)"
    },
  ]

  private static let redirects: [Entry] = [
    entry(
      "A redirect is followed", ["200 “Ada”, the server acted on GET /old, GET /new"],
      at: [
        "GET /old": .init(status: 302, headers: ["Location": "/new"], pieces: []), "GET /new": .init(),
      ]
    ) { client in "\(try await client.ask("GET", "/old")), the server acted on \(client.site.acted)" },
    entry(
      "A redirect with 303 turns a POST into a GET",
      ["200 “Ada”, the server acted on POST /form x, GET /done"],
      at: [
        "POST /form": .init(status: 303, headers: ["Location": "/done"], pieces: []), "GET /done": .init(),
      ]
    ) { client in
      "\(try await client.ask("POST", "/form", body: "x")), the server acted on \(client.site.acted)"
    },
    entry(
      "A redirect with 307 keeps the method", ["200 “Ada”, the server acted on DELETE /a, DELETE /b"],
      at: [
        "DELETE /a": .init(status: 307, headers: ["Location": "/b"], pieces: []), "DELETE /b": .init(),
      ]
    ) { client in "\(try await client.ask("DELETE", "/a")), the server acted on \(client.site.acted)" },
    entry(
      "Redirects without end are an error", ["threw URLError.httpTooManyRedirects"],
      at: [
        "GET /loop": .init(status: 302, headers: ["Location": "/loop"], pieces: [])
      ]
    ) { client in await outcome { try await client.ask("GET", "/loop") } },
  ]

  private static let troubles: [Entry] = [
    entry(
      "An answer that takes longer than the request may is timedOut, and the server has acted",
      ["threw URLError.timedOut, the server acted on POST /charge"],
      at: ["POST /charge": .init(pause: .seconds(3))]
    ) { client in
      var request = try client.request("POST", "/charge")
      request.timeoutInterval = 1
      let answer = await outcome { try await client.ask(request) }
      return "\(answer), the server acted on \(client.site.acted)"
    },
    entry(
      "A connection that is closed amid the body is an error, and no half of an answer",
      ["threw URLError.unknown"], fake: ["threw URLError.networkConnectionLost"],
      because:
        "Foundation on Linux says `unknown` for it; the fake throws the code that is documented for it",
      at: ["GET /half": .init(breaksOff: true)]
    ) { client in await outcome { try await client.ask("GET", "/half") } },
  ]

  private static let cancels: [Entry] = [
    entry(
      "A request of a task that was cancelled before is URLError.cancelled, or comes to its end",
      ["threw URLError.cancelled", "returned 200 “Ada”"], at: ["GET /profile": .init()]
    ) { client in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.ask("GET", "/profile")
      }
      return await outcome(of: task)
    },
    entry(
      "A request of a task that was cancelled before may reach the server",
      ["the server acted on nothing", "the server acted on POST /charge"], at: ["POST /charge": .init()]
    ) { client in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.ask("POST", "/charge")
      }
      _ = await task.result
      return "the server acted on \(client.site.acted)"
    },
    entry(
      "A request that is cancelled when the server has acted is URLError.cancelled all the same",
      ["threw URLError.cancelled, the server acted on POST /charge"],
      at: ["POST /charge": .init(pause: .seconds(1))]
    ) { client in
      let task = Task { try await client.ask("POST", "/charge") }
      try await client.untilServerActed()
      task.cancel()
      return "\(await outcome(of: task)), the server acted on \(client.site.acted)"
    },
    entry(
      "A request that is cancelled amid the body is URLError.cancelled",
      ["threw URLError.cancelled"],
      at: ["GET /slow": .init(pieces: ["one ", "two ", "three"], pause: .milliseconds(400))]
    ) { client in
      let task = Task { try await client.ask("GET", "/slow") }
      try await client.untilServerActed()
      try await Task.sleep(for: .milliseconds(600))
      task.cancel()
      return await outcome(of: task)
    },
    entry(
      "A cancel that comes with the answer in hand changes nothing", ["returned 200 “Ada”"],
      at: [
        "GET /profile": .init()
      ]
    ) { client in
      let task = Task {
        let answer = try await client.ask("GET", "/profile")
        withUnsafeCurrentTask { $0?.cancel() }
        return answer
      }
      return await outcome(of: task)
    },
    entry(
      "A request that is cancelled is not sent again", ["the server acted on POST /charge"],
      at: [
        "POST /charge": .init(pause: .milliseconds(300))
      ]
    ) { client in
      let task = Task { try await client.ask("POST", "/charge") }
      try await client.untilServerActed()
      task.cancel()
      _ = await task.result
      try await Task.sleep(for: .milliseconds(600))
      return "the server acted on \(client.site.acted)"
    },
  ]
}
