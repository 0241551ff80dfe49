import Foundation
import Observation

/// Fills the list letter by letter. Two refreshes at once fill the same list.
@MainActor @Observable final class NaiveInbox: InboxModel {
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
      let envelopes = try await service.envelopes()
      screen.letters.removeAll()
      for envelope in envelopes {
        screen.letters.append(try await Letter.decoded(from: envelope))
      }
      try await store.save(SavedInbox(letters: screen.letters, savedAt: clock.now))
      screen.phase = .loaded
    } catch {
      screen.phase = .failed
    }
  }
}
