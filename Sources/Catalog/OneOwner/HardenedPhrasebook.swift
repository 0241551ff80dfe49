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
    guard update > saved else { return }  // guard: newest-edition
    try await store.save(phrases)
    saved = update
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

// Not guards: the second owner and its calls: that it is another actor is marked.
