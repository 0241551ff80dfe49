import Foundation
import Observation

/// Asks the network first, decodes where it stands, on the main actor, saves, and shows all that it reads back. Whichever
/// refresh is last to finish wins, and a cancel lands in the same `catch` as a lost connection.
@MainActor @Observable final class PublishedInbox: InboxModel {
  private(set) var screen = InboxScreen()
  @ObservationIgnored private let service: any InboxService
  @ObservationIgnored private let store: any InboxStore
  @ObservationIgnored private let clock: any WallClock

  init(service: any InboxService, store: any InboxStore, clock: any WallClock) {
    self.service = service
    self.store = store
    self.clock = clock
  }

  func refresh() async {
    screen.phase = .loading
    do {
      let letters = try await service.envelopes().map(Letter.init(decoding:))
      try await store.save(SavedInbox(letters: letters, savedAt: clock.now))
      screen.letters = try await store.saved()?.letters ?? []
      screen.phase = .loaded
    } catch {
      screen.phase = .failed
    }
  }
}
