import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Loads requests, as `URLSession` does.
public protocol Loader: Sendable {
  func data(for request: URLRequest) async throws -> (Data, URLResponse)
}

/// The articles of a server.
public struct ArticleServer: ArticleSource {
  /// The server answered, but not with articles.
  public struct Refusal: Error {
    public let status: Int
  }

  private let loader: any Loader
  private let address: URL

  public init(_ address: URL, loader: any Loader) {
    self.address = address
    self.loader = loader
  }

  public func articles() async throws -> [Article] {
    let (data, response) = try await loader.data(for: URLRequest(url: address.appending(path: "articles")))
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw Refusal(status: status) }
    return try JSONDecoder().decode([Article].self, from: data)
  }
}
