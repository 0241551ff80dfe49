extension FakeNetwork {
  /// Sends a request and returns the answer. A ``FakeNetwork`` can take the place of a real network behind this
  /// protocol.
  public protocol Transport: Sendable {
    /// Returns the answer to `request`. Throws if none comes, and `CancellationError` if the caller is cancelled.
    func send(_ request: FakeNetwork.Request) async throws -> FakeNetwork.Response
  }
}

extension FakeNetwork {
  /// A request to a server.
  public struct Request: Hashable, Sendable {
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

    /// The method, and the path up to the query: `GET /inbox`. A ``FakeNetwork`` looks up its behavior by this, unless
    /// it has a route that asks for something in the query.
    public var route: String { method + " " + RouteTable.parts(of: path).path }

    /// The text after the first question mark.
    var query: String? { RouteTable.parts(of: path).query }
  }
}

extension FakeNetwork {
  /// The answer of a server.
  public struct Response: Hashable, Sendable {
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
}
