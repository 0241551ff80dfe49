import Foundation
import Observation

/// A newer refresh cancels the older one and saves only when that has ended. When all is said and done the
/// screen shows what the store holds: the new letters, or after a failure or a cancel the old ones.
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
    var phase: InboxScreen.Phase
    do {
      try await load(after: older)
      phase = .loaded
    } catch {
      phase = Task.isCancelled ? settled : .failed  // guard: cancel-is-not-failure => phase = .failed
    }
    await older?.value  // guard: settle-after-older
    // In a task that nobody cancels: whatever has become of this one, the screen shows what is saved.
    // undone: let saved = try? await store.saved()
    let saved = try? await Task { try await store.saved() }.value  // guard: show-what-is-saved
    // Not a guard, since a newer one settles later: without it, only the spinner would stop too early.
    guard number == latest?.number else { return }
    // What was loaded has been saved, so there is something to show: what is saved could not be read.
    if saved == nil, phase == .loaded { phase = .failed }
    screen = InboxScreen(phase: phase, letters: saved?.letters ?? screen.letters)
    settled = phase
  }

  private func load(after older: Task<Void, Never>?) async throws {
    if let saved = try await store.saved(), age(of: saved) < staleAfter { return }
    var letters: [Letter] = []
    for envelope in try await service.envelopes() {
      letters.append(try await Letter.decoded(from: envelope))
    }
    await older?.value  // guard: save-after-older
    try Task.checkCancellation()  // guard: no-save-when-cancelled
    try await store.save(SavedInbox(letters: letters, savedAt: clock.now))
  }

  private func age(of saved: SavedInbox) -> TimeInterval {
    clock.now.timeIntervalSince(saved.savedAt)
  }
}

// Not guards: the record of the latest refresh, which the guards read, and the refresh itself, taken apart so
// that they have a place to stand.
