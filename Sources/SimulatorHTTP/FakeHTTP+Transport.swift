public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension FakeHTTP {
  /// Loads a request, spelled as in `URLSession`. A ``FakeHTTP`` can take the place of a `URLSession` behind this
  /// protocol.
  ///
  /// An app's own protocol with the same requirement works as well, or one with `data(for:delegate:)`: `URLSession` and
  /// ``FakeHTTP`` conform to either with an empty extension.
  public protocol Transport: Sendable {
    /// Returns the body and the response to `request`. Throws `URLError` if none comes, and if the caller is cancelled.
    func data(for request: URLRequest) async throws -> (Data, URLResponse)
  }
}

extension FakeHTTP.Transport {
  /// Returns the body and the response to a `GET` of `url`.
  public func data(from url: URL) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url))
  }
}

#if canImport(FoundationNetworking)
  extension URLSession {
    /// Returns the body and the response to `request`.
    ///
    /// On Linux, Foundation only has this method with an optional delegate, which does not satisfy a protocol
    /// requirement without one.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
      try await data(for: request, delegate: nil)
    }
  }
#endif

extension URLSession: FakeHTTP.Transport {}
