/// Gets away from its caller's actor within its caller's task.
struct HardenedArticleTransport: ArticleTransport {
  let connection: any ArticleConnection

  @concurrent func send(_ path: String) async throws -> String {
    try await connection.get(path)
  }
}
