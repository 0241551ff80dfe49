/// What every request goes through: a token, its turn, the transport and a look at the answer; and all of it
/// again where that may help.
struct RequestPipeline: Sendable {
  struct Refused: Error {
    let status: Int
  }

  let transport: any ArticlesTransport
  let tokens: any ArticlesTokens
  let limit: RateLimit
  var attempts = 3
  var backOff = Duration.milliseconds(200)

  /// Asks with `token`, or with one that it gets for each attempt.
  func response(to request: ArticlesRequest, token: String? = nil) async throws -> ArticlesResponse {
    for attempt in 1..<attempts {
      do {
        return try await send(request, token)
      } catch let error where mayPass(error) {
        try await Task.sleep(for: backOff * (1 << (attempt - 1)))
      }
    }
    return try await send(request, token)
  }

  private func send(_ request: ArticlesRequest, _ known: String?) async throws -> ArticlesResponse {
    let token = if let known { known } else { try await tokens.token() }
    try await limit.turn()
    let response = try await transport.send(request, token: token)
    guard (200..<300).contains(response.status) else { throw Refused(status: response.status) }
    return response
  }

  private func mayPass(_ error: any Error) -> Bool {
    switch error {
    case _ where error.isCancellation: false
    case let refused as Refused: refused.status >= 500
    default: true
    }
  }
}

/// Keeps requests apart, however many ask.
actor RateLimit {
  private let spacing: Duration
  private var next = ContinuousClock.now

  init(spacing: Duration) {
    self.spacing = spacing
  }

  func turn() async throws {
    let now = ContinuousClock.now
    let turn = max(next, now)
    next = turn + spacing
    guard turn > now else { return }
    do {
      try await Task.sleep(until: turn)
    } catch {
      // Nobody has come after it: its turn is free again.
      if next == turn + spacing { next = turn }
      throw error
    }
  }
}
