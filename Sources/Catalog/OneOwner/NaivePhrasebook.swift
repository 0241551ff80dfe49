/// One queue for network and store, so that nothing gets in between. A lookup waits until the update is
/// through.
final class NaivePhrasebook: Phrasebook {
  private let queue = SerialQueue()
  private let service: any PhraseService
  private let store: any PhraseStore

  init(service: any PhraseService, store: any PhraseStore) {
    self.service = service
    self.store = store
  }

  func update() async throws {
    try await queue.run { [service, store] in
      try await store.save(try await service.phrases())
    }
  }

  func phrase(_ id: String) async throws -> Phrase? {
    try await queue.run { [store] in try await store.phrase(id) }
  }
}
