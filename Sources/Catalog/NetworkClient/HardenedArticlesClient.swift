/// All callers that ask for the same share one flight. It belongs to them: it is given up when the last of them
/// has left, when a caller cancels it by its id, and when the session ends. What it still brings is then
/// ignored.
actor HardenedArticlesClient: ArticlesClient {
  private typealias Answer = CheckedContinuation<ArticlesResponse, any Error>

  private struct Flight {
    let number: Int
    let task: Task<Void, Never>
    var askers: [(number: Int, answer: Answer)] = []
  }

  private(set) var cache: [String: ArticlesResponse] = [:]
  private var flights: [String: Flight] = [:]
  private var askersSoFar = 0
  private var flightsSoFar = 0
  private let pipeline: RequestPipeline

  init(pipeline: RequestPipeline) {
    self.pipeline = pipeline
  }

  func response(to request: ArticlesRequest) async throws -> ArticlesResponse {
    if let cached = cache[request.id] { return cached }
    askersSoFar += 1
    let number = askersSoFar
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { join(request, number, $0) }
    } onCancel: {
      // Comes after `join`, which belongs to the same step as the question.
      Task { await leave(request.id, number) }  // guard: cancel-reaches-flight
    }
  }

  func cancel(requestID: String) {
    giveUp(requestID)
  }

  func signOut() {
    cache.removeAll()  // guard: cache-ends-with-session
    for id in flights.keys.sorted() { giveUp(id) }  // guard: flights-end-with-session
  }

  private func join(_ request: ArticlesRequest, _ number: Int, _ answer: Answer) {
    if flights[request.id] == nil { takeOff(request) }  // guard: one-flight => takeOff(request)
    flights[request.id]?.askers.append((number, answer))
  }

  private func leave(_ id: String, _ number: Int) {
    guard let index = flights[id]?.askers.firstIndex(where: { $0.number == number }) else { return }
    flights[id]?.askers.remove(at: index).answer.resume(throwing: CancellationError())
    if flights[id]?.askers.isEmpty == true { giveUp(id) }  // guard: no-flight-without-askers
  }

  private func giveUp(_ id: String) {
    guard let flight = flights.removeValue(forKey: id) else { return }
    flight.task.cancel()  // guard: given-up-is-cancelled
    for asker in flight.askers { asker.answer.resume(throwing: CancellationError()) }
  }

  private func takeOff(_ request: ArticlesRequest) {
    flightsSoFar += 1
    let number = flightsSoFar
    let task = Task {
      do {
        land(request.id, number, .success(try await pipeline.response(to: request)))
      } catch {
        land(request.id, number, .failure(error))
      }
    }
    flights[request.id] = Flight(number: number, task: task)
  }

  private func land(_ id: String, _ number: Int, _ result: Result<ArticlesResponse, any Error>) {
    guard flights[id]?.number == number else { return }  // guard: only-its-own-flight
    guard let flight = flights.removeValue(forKey: id) else { return }
    if case .success(let response) = result { cache[id] = response }
    for asker in flight.askers { asker.answer.resume(with: result) }
  }
}

// Not guards: the record of flights and askers, which the guards read, and answering them, without which
// nobody is answered.
