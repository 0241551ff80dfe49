import Foundation
import FoundationNetworking
import Simulator
import SimulatorHTTP

extension Twins {
  /// What a `URLSession` calls back.
  static let sessions: [Twins] = [
    Twins("the delegate queue of a session") { total in
      let session = Self.session()
      async let first: Void = answered(by: session, total)
      async let second: Void = answered(by: session, total)
      _ = await (first, second)
      total.add()
    } racy: { total in
      let session = Self.session()
      async let first: Void = answered(by: session, total)
      try? await Task.sleep(for: .seconds(1))
      total.add()
      await first
    }
  ]

  private static func session() -> URLSession {
    let server = FakeHTTP(["GET /": [FakeBehavior(delay: .seconds(1), replies: [.ok("Ada")])]])
    if let simulation = Simulation.current { server.interceptURLSession(in: simulation) }
    return URLSession(configuration: .default)
  }

  private static func answered(by session: URLSession, _ total: Total) async {
    guard let url = URL(string: "https://example.org/") else { return }
    await called { done in
      session.dataTask(with: url) { _, _, _ in
        total.add()
        done()
      }.resume()
    }
  }
}
