import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An app that asks a server through its own `URLSession`.
public struct Client: Sendable {
  let base: URL
  public let site: Site
  let session: URLSession

  init(_ site: Site, at base: URL) {
    (self.site, self.base) = (site, base)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    session = URLSession(configuration: configuration)
  }

  func request(_ method: String, _ path: String, body: String? = nil) throws -> URLRequest {
    guard let url = URL(string: path, relativeTo: base)?.absoluteURL else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    return request
  }

  /// Status and body, in words.
  func ask(_ request: URLRequest) async throws -> String {
    let (data, response) = try await answer(to: request)
    return "\(response.statusCode) “\(String(decoding: data, as: UTF8.self))”"
  }

  func ask(_ method: String, _ path: String, body: String) async throws -> String {
    try await ask(try request(method, path, body: body))
  }

  func answer(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    let (data, response) = try await session.data(for: request, delegate: nil)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return (data, response)
  }
}
