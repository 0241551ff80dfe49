import Foundation

/// One flight for all who ask while it lasts. An asker who is cancelled leaves at once and takes nobody
/// along; the flight is given up when the last one has left. All get its result or its error, and the next
/// asker starts anew.
actor HardenedPlaylistLoader: PlaylistSource {
  private typealias Answer = CheckedContinuation<Playlist, any Error>

  private struct Flight {
    let id: UUID
    let task: Task<Void, Never>
  }

  private var askers: [(id: UUID, answer: Answer)] = []
  private var flight: Flight?
  private let saves = Turns()
  private let service: any PlaylistService
  private let store: any PlaylistStore

  init(service: any PlaylistService, store: any PlaylistStore) {
    self.service = service
    self.store = store
  }

  func playlist() async throws -> Playlist {
    let id = UUID()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { join(id, $0) }
    } onCancel: {
      // Comes after `join`, which belongs to the same step as the question.
      Task { await leave(id) }  // guard: asker-leaves-alone
    }
  }

  private func join(_ id: UUID, _ answer: Answer) {
    askers.append((id, answer))
    if flight == nil { takeOff() }  // guard: one-flight
  }

  private func leave(_ id: UUID) {
    guard let index = askers.firstIndex(where: { $0.id == id }) else { return }
    askers.remove(at: index).answer.resume(throwing: CancellationError())
    guard askers.isEmpty else { return }
    flight?.task.cancel()  // guard: no-flight-without-askers
    flight = nil
  }

  private func takeOff() {
    let id = UUID()
    let task = Task {
      do {
        land(id, .success(try await fetchAndSave()))
      } catch {
        land(id, .failure(error))
      }
    }
    flight = Flight(id: id, task: task)
  }

  private func fetchAndSave() async throws -> Playlist {
    let playlist = try await Self.playlist(from: service)
    // A flight that was given up may still be saving.
    await saves.take()  // guard: one-save-at-a-time
    defer { saves.give() }  // guard: one-save-at-a-time
    try Task.checkCancellation()  // guard: no-save-without-askers
    try await store.save(playlist)
    return playlist
  }

  // Off the actor that saves.
  @concurrent  // guard: owners-apart
  private nonisolated static func playlist(from service: any PlaylistService) async throws -> Playlist {
    try await service.fetchPlaylist()
  }

  private func land(_ id: UUID, _ result: Result<Playlist, any Error>) {
    guard flight?.id == id else { return }  // guard: only-its-own-askers
    flight = nil
    let answered = askers
    askers = []
    for asker in answered { asker.answer.resume(with: result) }
  }
}

// Not guards: the record of the flight and its askers, which the guards read, and answering them, without
// which nobody is answered.
