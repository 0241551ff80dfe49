/// Gets away from its caller's actor within its caller's task.
struct HardenedArticleTransport: ArticleTransport {
  let connection: any ArticleConnection

  @concurrent func send(_ path: String) async throws -> String {
    // undone: try await Task.detached { try await connection.get(path) }.value
    try await connection.get(path)  // guard: transport-task-is-structured
  }
}

// Not guards: the signature of the marked line, which cannot stand without it.
