import Foundation
import Observation

/// Sets the list once, when all is decoded and saved. Whichever refresh is last to finish wins, and a cancel
/// lands in the same `catch` as a lost connection.
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
      var letters: [Letter] = []
      for envelope in try await service.envelopes() {
        letters.append(try await Letter.decoded(from: envelope))
      }
      try await store.save(SavedInbox(letters: letters, savedAt: clock.now))
      screen.letters = letters
      screen.phase = .loaded
    } catch {
      screen.phase = .failed
    }
  }
}
