/// Owns the store. The network has an owner of its own, on whose time replies are awaited and decoded: a
/// lookup is kept waiting by neither. Editions are saved one after the other, and none after a newer one.
actor HardenedPhrasebook: Phrasebook {
  private let client: PhraseClient
  private let store: any PhraseStore
  private let turns = Turns()
  private var updates = 0
  /// The update that has brought what is saved.
  private var saved = 0

  init(service: any PhraseService, store: any PhraseStore) {
    (client, self.store) = (PhraseClient(service: service), store)
  }

  func update() async throws {
    updates += 1
    let update = updates
    let phrases = try await client.phrases()
    await turns.take()  // guard: one-save-at-a-time
    defer { turns.give() }  // guard: one-save-at-a-time
    try Task.checkCancellation()
    guard update > saved else { return }  // guard: newest-edition
    do {
      try await store.save(phrases)
      saved = update
    } catch {
      if await mayHaveSaved(phrases) { saved = update }  // guard: ask-the-disk
      throw error
    }
  }

  /// A save that fails, or was cancelled, may have been committed: only the disk knows.
  private func mayHaveSaved(_ phrases: [Phrase]) async -> Bool {
    guard let first = phrases.first else { return false }
    let asking = Task { try await store.phrase(first.id) }
    guard case .success(let kept) = await asking.result else { return true }
    return kept == first
  }

  func phrase(_ id: String) async throws -> Phrase? {
    try await store.phrase(id)
  }
}

/// Owns the network.
actor PhraseClient {  // guard: owner-for-network => struct PhraseClient {
  private let service: any PhraseService

  init(service: any PhraseService) {
    self.service = service
  }

  func phrases() async throws -> [Phrase] {
    try await service.phrases()
  }
}

// Not guards: looking for a cancel after the wait for a turn; the second owner and its calls: that it is another actor is marked.
