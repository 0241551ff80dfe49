import Foundation
import Simulator

/// What facts ask of a network that need no more than a route, a body and an answer.
public protocol Asking: Sendable {
  /// What the server has acted on.
  var site: Site { get }
  /// Status and body, in words.
  func ask(_ method: String, _ path: String) async throws -> String
}

extension Asking {
  /// Returns when the server has acted.
  func untilServerActed() async throws {
    while site.acted == "nothing" { try await Task.sleep(for: .milliseconds(5)) }
  }
}

extension Client: Asking {
  public func ask(_ method: String, _ path: String) async throws -> String {
    try await ask(try request(method, path))
  }
}

/// A `FakeNetwork` in the place of a `URLSession`.
struct NetworkClient: Asking {
  let site: Site
  private let network: FakeNetwork

  init(_ site: Site) {
    self.site = site
    network = FakeNetwork(
      site.routes.mapValues { [$0.behavior] }, otherwise: FakeBehavior(arrivalDelay: .fixed(.zero)),
      cancellation: URLError(.cancelled))
  }

  func ask(_ method: String, _ path: String) async throws -> String {
    try await network.exchange("\(method) \(path)") { [site] _ in
      site.act(on: "\(method) \(path)")
      let answer = site.routes["\(method) \(path)"] ?? Site.Answer(status: 404, pieces: [])
      return "\(answer.status) “\(answer.pieces.joined())”"
    }
  }
}
