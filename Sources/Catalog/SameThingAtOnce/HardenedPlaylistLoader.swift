/// One flight for all who ask while it lasts. An asker who is cancelled leaves at once and takes nobody
/// along; the flight is given up when the last one has left. All get its result or its error, and the next
/// asker starts anew.
actor HardenedPlaylistLoader: PlaylistSource {
  private typealias Answer = CheckedContinuation<Playlist, any Error>

  private struct Flight {
    let number: Int
    let task: Task<Void, Never>
  }

  private var askers: [(number: Int, answer: Answer)] = []
  private var flight: Flight?
  private var askersSoFar = 0
  private var flightsSoFar = 0
  private let service: any PlaylistService
  private let store: any PlaylistStore

  init(service: any PlaylistService, store: any PlaylistStore) {
    self.service = service
    self.store = store
  }

  func playlist() async throws -> Playlist {
    askersSoFar += 1
    let number = askersSoFar
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { join(number, $0) }
    } onCancel: {
      // Comes after `join`, which belongs to the same step as the question.
      Task { await leave(number) }  // guard: asker-leaves-alone
    }
  }

  private func join(_ number: Int, _ answer: Answer) {
    askers.append((number, answer))
    if flight == nil { takeOff() }  // guard: one-flight
  }

  private func leave(_ number: Int) {
    guard let index = askers.firstIndex(where: { $0.number == number }) else { return }
    askers.remove(at: index).answer.resume(throwing: CancellationError())
    guard askers.isEmpty else { return }
    flight?.task.cancel()  // guard: no-flight-without-askers
    flight = nil
  }

  private func takeOff() {
    flightsSoFar += 1
    let number = flightsSoFar
    let task = Task {
      do {
        land(number, .success(try await fetchAndSave()))
      } catch {
        land(number, .failure(error))
      }
    }
    flight = Flight(number: number, task: task)
  }

  private func fetchAndSave() async throws -> Playlist {
    let playlist = try await service.fetchPlaylist()
    try Task.checkCancellation()  // guard: no-save-without-askers
    try await store.save(playlist)
    return playlist
  }

  private func land(_ number: Int, _ result: Result<Playlist, any Error>) {
    guard flight?.number == number else { return }  // guard: only-its-own-askers
    flight = nil
    let answered = askers
    askers = []
    for asker in answered { asker.answer.resume(with: result) }
  }
}

// Not guards: the record of the flight and its askers, which the guards read, and answering them, without
// which nobody is answered.
