/// Waits for a token and then keeps the task of each request under its id. Five holes: a cancel that comes while the token is
/// fetched finds nothing; a cancelled caller leaves the task running; of two requests for the same only the later one is kept;
/// the clean-up comes in a task of its own and removes what is there by then; and the cache knows nothing of sessions.
actor PublishedArticlesClient: ArticlesClient {
  private(set) var cache: [String: ArticlesResponse] = [:]
  private var inFlight: [String: Task<ArticlesResponse, any Error>] = [:]
  private let pipeline: RequestPipeline

  init(pipeline: RequestPipeline) {
    self.pipeline = pipeline
  }

  func response(to request: ArticlesRequest) async throws -> ArticlesResponse {
    if let cached = cache[request.id] { return cached }
    let token = try await pipeline.tokens.token()
    let task = Task { try await pipeline.response(to: request, token: token) }
    inFlight[request.id] = task
    defer { Task { finished(request.id) } }
    let response = try await task.value
    cache[request.id] = response
    return response
  }

  func cancel(requestID: String) {
    inFlight[requestID]?.cancel()
    inFlight[requestID] = nil
  }

  func signOut() {
    for task in inFlight.values { task.cancel() }
    inFlight.removeAll()
  }

  private func finished(_ id: String) {
    inFlight[id] = nil
  }
}
