import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Asks the server through `URLSession`, which throws `URLError(.cancelled)` when its task is cancelled.
struct SessionSearchService: SearchService {
  private let session = URLSession(configuration: .ephemeral)

  func results(for query: String) async throws -> [String] {
    var address = URLComponents()
    (address.scheme, address.host, address.path) = ("https", "example.org", "/search")
    address.queryItems = [URLQueryItem(name: "text", value: query)]
    guard let url = address.url else { preconditionFailure("\(query) makes no address") }
    let (data, _) = try await session.data(from: url)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
