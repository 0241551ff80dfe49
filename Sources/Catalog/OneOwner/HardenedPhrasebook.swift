/// Owns the store. The network has an owner of its own, on whose time replies are awaited and decoded: a
/// lookup is kept waiting by neither.
actor HardenedPhrasebook: Phrasebook {
  private let client: PhraseClient
  private let store: any PhraseStore

  init(service: any PhraseService, store: any PhraseStore) {
    (client, self.store) = (PhraseClient(service: service), store)
  }

  func update() async throws {
    let phrases = try await client.phrases()
    try await store.save(phrases)
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
