/// Gets away from its caller's actor by a detached task, and from its caller's cancellation too.
struct NaiveArticleTransport: ArticleTransport {
  let connection: any ArticleConnection

  func send(_ path: String) async throws -> String {
    try await Task.detached { try await connection.get(path) }.value
  }
}
