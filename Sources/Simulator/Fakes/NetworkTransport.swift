/// Sends a request and brings the answer back: the seam behind which a ``FakeNetwork`` stands.
public protocol NetworkTransport: Sendable {
  /// The answer to `request`; throws when none comes, and `CancellationError` when the caller is cancelled.
  func send(_ request: NetworkRequest) async throws -> NetworkResponse
}

/// What is asked of a server.
public struct NetworkRequest: Hashable, Sendable {
  /// `GET`, `POST`, …
  public var method: String
  /// The path, with its query if it has one: `/inbox`.
  public var path: String
  /// The body as text; empty when there is none.
  public var body: String

  /// A request.
  public init(_ method: String = "GET", _ path: String, body: String = "") {
    self.method = method
    self.path = path
    self.body = body
  }

  /// Method and path up to the query: `GET /inbox`. What a ``FakeNetwork`` looks its behavior up by.
  public var route: String { method + " " + (path.split(separator: "?").first.map(String.init) ?? path) }
}

/// What a server answers.
public struct NetworkResponse: Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The body as text.
  public var body: String

  /// An answer.
  public init(status: Int, body: String = "") {
    self.status = status
    self.body = body
  }
}
