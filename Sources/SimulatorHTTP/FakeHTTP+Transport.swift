public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension FakeHTTP {
  /// Loads a request: the seam behind which a ``FakeHTTP`` stands, spelled like `URLSession`.
  ///
  /// A protocol of an app's own with the same requirement will do as well, or one with `data(for:delegate:)`:
  /// `URLSession` and ``FakeHTTP`` conform to either with an empty extension.
  public protocol Transport: Sendable {
    /// The body and the response to `request`; throws `URLError` when none comes, and when the caller is
    /// cancelled.
    func data(for request: URLRequest) async throws -> (Data, URLResponse)
  }
}

extension FakeHTTP.Transport {
  /// The body and the response to a `GET` of `url`.
  public func data(from url: URL) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url))
  }
}

#if canImport(FoundationNetworking)
  extension URLSession {
    /// The body and the response to `request`.
    ///
    /// Foundation has it on Linux only with a delegate that may be left out, which a protocol does not take
    /// for it.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
      try await data(for: request, delegate: nil)
    }
  }
#endif

extension URLSession: FakeHTTP.Transport {}
