/// Sends a request for each caller, keeps every answer, and cancels by leaving a note.
actor NaiveArticlesClient: ArticlesClient {
  private(set) var cache: [String: ArticlesResponse] = [:]
  private var cancelled: Set<String> = []
  private let pipeline: RequestPipeline

  init(pipeline: RequestPipeline) {
    self.pipeline = pipeline
  }

  func response(to request: ArticlesRequest) async throws -> ArticlesResponse {
    if let cached = cache[request.id] { return cached }
    cancelled.remove(request.id)
    let response = try await pipeline.response(to: request)
    if cancelled.contains(request.id) { throw CancellationError() }
    cache[request.id] = response
    return response
  }

  func cancel(requestID: String) {
    cancelled.insert(requestID)
  }

  func signOut() {
    cancelled.removeAll()
  }
}
