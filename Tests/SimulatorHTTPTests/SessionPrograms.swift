#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Simulator
  import SimulatorHTTP
  import SimulatorStrategies

  /// What programs that ask a `URLSession` come to.
  enum SessionPrograms {
    static let profile = at("/profile")

    static func at(_ path: String) -> URL { URL(string: "https://example.org" + path)! }

    /// The profile takes a second.
    static let server = FakeHTTP([
      "GET /profile": [FakeBehavior(delay: .seconds(1), replies: [.ok("Ada")])]
    ])

    /// What `body` comes to in some schedules.
    static func outcomes(
      of server: FakeHTTP = server, schedules: Int = 200,
      strategy: (any SchedulingStrategy)? = nil,
      _ body: @escaping @Sendable () async throws -> String
    ) -> (seen: Set<String>, report: Explorer.Report) {
      let log = Guarded<Set<String>>([])
      var explorer = Explorer(name: "session") { simulation in
        server.interceptURLSession(in: simulation)
        let outcome = try await body()
        log.withLock { _ = $0.insert(outcome) }
      }
      if let strategy { explorer.strategy = strategy }
      explorer.budget.schedules = schedules
      let report = explorer.explore()
      return (log.withLock { $0 }, report)
    }
  }
#endif
