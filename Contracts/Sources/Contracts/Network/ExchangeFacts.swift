import Foundation

/// What a request and its answer do: SwiftNIO behind `URLSession`, and `FakeNetwork` alone.
public enum ExchangeFacts {
  /// A fact, with the routes that it needs.
  public struct Entry: Sendable {
    let routes: [String: Site.Answer]
    /// The fact itself.
    public let fact: Fact<any Asking>
  }

  public static let all: [Entry] = [
    Entry(
      routes: ["GET /profile": .init(), "GET /later": .init(status: 503, pieces: [])],
      fact: Fact("A status is an answer, whatever it is", ["200 “Ada”, 503 “”, 404 “”"]) { network in
        try await ["/profile", "/later", "/unknown"].mapInTurn { try await network.ask("GET", $0) }
          .joined(separator: ", ")
      }),
    Entry(
      routes: ["POST /charge": .init(pause: .seconds(1))],
      fact: Fact(
        "A request that is cancelled when the server has acted is URLError.cancelled all the same",
        ["threw URLError.cancelled, the server acted on POST /charge"]
      ) { network in
        let task = Task { try await network.ask("POST", "/charge") }
        try await network.untilServerActed()
        task.cancel()
        return "\(await outcome(of: task)), the server acted on \(network.site.acted)"
      }),
    Entry(
      routes: ["POST /charge": .init(pause: .milliseconds(50))],
      fact: Fact(
        "A cancel that comes with the answer in hand changes nothing",
        ["returned 200 “Ada”, the server acted on POST /charge"]
      ) { network in
        let task = Task {
          let answer = try await network.ask("POST", "/charge")
          withUnsafeCurrentTask { $0?.cancel() }
          return answer
        }
        return "\(await outcome(of: task)), the server acted on \(network.site.acted)"
      }),
    Entry(
      routes: ["POST /charge": .init()],
      fact: Fact(
        "A request of a task that was cancelled before is URLError.cancelled, or comes to its end",
        [
          "threw URLError.cancelled, the server acted on nothing",
          "threw URLError.cancelled, the server acted on POST /charge",
          "returned 200 “Ada”, the server acted on POST /charge",
        ],
        fake: ["threw URLError.cancelled, the server acted on nothing"],
        because:
          "Foundation on Linux notices such a cancel on another thread, maybe too late; the fake at once"
      ) { network in
        let task = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await network.ask("POST", "/charge")
        }
        return "\(await outcome(of: task)), the server acted on \(network.site.acted)"
      }),
  ]

  /// What one fact comes to with a real server, and with the fake under many schedules.
  public static func finding(_ entry: Entry) async throws -> Finding {
    let site = Site(entry.routes)
    let server = try await RealServer(site)
    let real = await entry.fact.outcome(with: Client(site, at: server.base))
    try await server.close()
    let fake = everyOutcome { _ in await entry.fact.outcome(with: NetworkClient(Site(entry.routes))) }
    return Finding(entry.fact, real: real, fake: fake)
  }

  /// What all facts come to, one after the other.
  public static func findings() async throws -> [Finding] { try await all.mapInTurn(finding) }
}
