import Foundation
import Observation

/// One refresh at a time: a newer one cancels the older and saves only when that has ended. The screen shows what the
/// store holds; a cancel leaves it as it was, and a failure keeps the old letters.
@MainActor @Observable final class HardenedInbox: InboxModel {
  private struct Refresh {
    let number: Int
    let task: Task<Void, Never>
  }

  private(set) var screen = InboxScreen()
  @ObservationIgnored private var latest: Refresh?
  @ObservationIgnored private var settled = InboxScreen.Phase.idle
  @ObservationIgnored private let service: any InboxService
  @ObservationIgnored private let store: any InboxStore
  @ObservationIgnored private let clock: any WallClock
  @ObservationIgnored private let staleAfter: TimeInterval

  init(
    service: any InboxService, store: any InboxStore, clock: any WallClock, staleAfter: TimeInterval
  ) {
    self.service = service
    self.store = store
    self.clock = clock
    self.staleAfter = staleAfter
  }

  func refresh() async {
    let older = latest
    older?.task.cancel()  // guard: newer-cancels-older
    let number = (older?.number ?? 0) + 1
    let task = Task { await run(number, after: older?.task) }
    latest = Refresh(number: number, task: task)
    screen.phase = .loading
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()  // guard: cancel-reaches-refresh
    }
  }

  private func run(_ number: Int, after older: Task<Void, Never>?) async {
    do {
      try await load(after: older)
      settle(.loaded)
    } catch {
      guard number == latest?.number else { return }  // guard: only-latest-settles
      if Task.isCancelled {  // guard: cancel-is-not-failure
        screen.phase = settled
      } else {
        settle(.failed)
      }
    }
  }

  private func load(after older: Task<Void, Never>?) async throws {
    if let saved = try await store.saved() {
      try show(saved)
      if clock.now.timeIntervalSince(saved.savedAt) < staleAfter { return }
    }
    var letters: [Letter] = []
    for envelope in try await service.envelopes() {
      letters.append(try await Letter.decoded(from: envelope))
    }
    await older?.value  // guard: one-writer
    try Task.checkCancellation()  // guard: no-save-when-cancelled
    try await store.save(SavedInbox(letters: letters, savedAt: clock.now))
    if let saved = try await store.saved() { try show(saved) }
  }

  private func show(_ saved: SavedInbox) throws {
    try Task.checkCancellation()  // guard: no-publish-when-cancelled
    screen.letters = saved.letters
  }

  private func settle(_ phase: InboxScreen.Phase) {
    settled = phase
    screen.phase = phase
  }
}
