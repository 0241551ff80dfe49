import Foundation

/// All callers that ask for the same share one flight. It belongs to them: it is given up when the last of them
/// has left, when a caller cancels it by its id, and when the session ends. What it still brings is then
/// ignored.
actor HardenedArticlesClient: ArticlesClient {
  private typealias Answer = CheckedContinuation<ArticlesResponse, any Error>

  private struct Flight {
    let id: UUID
    let task: Task<Void, Never>
    var askers: [(id: UUID, answer: Answer)] = []
  }

  private(set) var cache: [String: ArticlesResponse] = [:]
  private var flights: [String: Flight] = [:]
  private let pipeline: RequestPipeline

  init(pipeline: RequestPipeline) {
    self.pipeline = pipeline
  }

  func response(to request: ArticlesRequest) async throws -> ArticlesResponse {
    if let cached = cache[request.id] { return cached }
    return try await answer(to: request, as: UUID())
  }

  func cancel(requestID: String) {
    giveUp(requestID)
  }

  func signOut() {
    cache.removeAll()  // guard: cache-ends-with-session
    for id in flights.keys.sorted() { giveUp(id) }  // guard: flights-end-with-session
  }

  private func answer(to request: ArticlesRequest, as asker: UUID) async throws -> ArticlesResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { join(request, asker, $0) }
    } onCancel: {
      // Comes after `join`, which belongs to the same step as the question.
      Task { await leave(request.id, asker) }  // guard: cancel-reaches-flight
    }
  }

  private func join(_ request: ArticlesRequest, _ asker: UUID, _ answer: Answer) {
    if flights[request.id] == nil { takeOff(request) }  // guard: one-flight => takeOff(request)
    flights[request.id]?.askers.append((asker, answer))
  }

  private func leave(_ id: String, _ asker: UUID) {
    guard let index = flights[id]?.askers.firstIndex(where: { $0.id == asker }) else { return }
    flights[id]?.askers.remove(at: index).answer.resume(throwing: CancellationError())
    if flights[id]?.askers.isEmpty == true { giveUp(id) }  // guard: no-flight-without-askers
  }

  private func giveUp(_ id: String) {
    guard let flight = flights.removeValue(forKey: id) else { return }
    flight.task.cancel()  // guard: given-up-is-cancelled
    for asker in flight.askers { asker.answer.resume(throwing: CancellationError()) }
  }

  private func takeOff(_ request: ArticlesRequest) {
    let flight = UUID()
    let task = Task {
      do {
        land(request.id, flight, .success(try await pipeline.response(to: request)))
      } catch {
        land(request.id, flight, .failure(error))
      }
    }
    flights[request.id] = Flight(id: flight, task: task)
  }

  private func land(_ id: String, _ own: UUID, _ result: Result<ArticlesResponse, any Error>) {
    // undone: guard let flight = flights.removeValue(forKey: id)
    guard flights[id]?.id == own, let flight = flights.removeValue(forKey: id)  // guard: only-its-own-flight
    else { return }
    if case .success(let response) = result { cache[id] = response }
    for asker in flight.askers { asker.answer.resume(with: result) }
  }
}

// Not guards: the record of flights and askers, which the guards read, and answering them, without which
// nobody is answered.
