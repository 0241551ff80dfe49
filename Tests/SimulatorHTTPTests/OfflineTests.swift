#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Simulator
  import SimulatorHTTP
  import Testing

  /// The connection is down from 2 s on, and there again at 12 s; a request takes 1 s to the server and 2 s back.
  @Suite struct `URLSession without a connection` {
    private static let way = FakeBehavior(
      arrivalDelay: .seconds(1), delay: .seconds(2), replies: [.ok("Ada")])

    /// What a request that begins at `begin` comes to in some schedules, how often the server was asked, and when it was over.
    private func outcomes(at begin: Duration) -> Set<String> {
      let seen = Guarded<Set<String>>([])
      var explorer = Explorer(name: "offline") { simulation in
        let served = Guarded(0)
        let connection = FakeConnection.offline(from: .seconds(2), for: .seconds(10))
        let server = FakeHTTP(["GET /profile": [Self.way]], connection: connection) { _, reply in
          served.withLock { $0 += 1 }
          return reply
        }
        server.interceptURLSession(in: simulation)
        let start = ContinuousClock.now
        try await Task.sleep(for: begin)
        let told: String
        do {
          let (data, _) = try await URLSession.shared.data(from: SessionPrograms.profile)
          told = String(decoding: data, as: UTF8.self)
        } catch let error as URLError {
          told =
            switch error.code {
            case .notConnectedToInternet: "offline"
            case .networkConnectionLost: "lost"
            default: "\(error)"
            }
        }
        let count = served.withLock { $0 }
        seen.withLock { _ = $0.insert("\(told), served \(count), \(start.duration(to: .now))") }
      }
      explorer.budget.schedules = 100
      #expect(explorer.explore().violations.map(\.message) == [])
      return seen.withLock { $0 }
    }

    @Test(arguments: [
      (Duration.milliseconds(500), "lost, served 1, 2.0 seconds"),
      (.milliseconds(1_500), "lost, served 0, 2.0 seconds"),
      (.seconds(3), "offline, served 0, 3.0 seconds"), (.seconds(12), "Ada, served 1, 15.0 seconds"),
    ])
    func `tells it as URLSession does`(begin: Duration, outcome: String) {
      #expect(outcomes(at: begin) == [outcome])
    }
  }
#endif
