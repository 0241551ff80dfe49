/// One plain actor for network and store. Articles warn that its lookups stand in line behind a slow request.
/// They do not: an actor is reentrant, and while it awaits the reply it is free. What closes it is the work
/// that it does, such as decoding that reply.
actor ActorPhrasebook: Phrasebook {
  private let service: any PhraseService
  private let store: any PhraseStore

  init(service: any PhraseService, store: any PhraseStore) {
    self.service = service
    self.store = store
  }

  func update() async throws {
    try await store.save(try await service.phrases())
  }

  func phrase(_ id: String) async throws -> Phrase? {
    try await store.phrase(id)
  }
}
