extension FakeNetwork {
  /// Sends a request and brings the answer back: the seam behind which a ``FakeNetwork`` stands.
  public protocol Transport: Sendable {
    /// The answer to `request`; throws when none comes, and `CancellationError` when the caller is cancelled.
    func send(_ request: FakeNetwork.Request) async throws -> FakeNetwork.Response
  }
}

extension FakeNetwork {
  /// What is asked of a server.
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

    /// Method and path up to the query: `GET /inbox`. What a ``FakeNetwork`` looks its behavior up by, unless it has a
    /// route that asks for something in the query.
    public var route: String { method + " " + RouteTable.parts(of: path).path }

    /// What stands behind the first question mark.
    var query: String? { RouteTable.parts(of: path).query }
  }
}

extension FakeNetwork {
  /// What a server answers.
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
