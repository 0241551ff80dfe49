import Foundation
import Observation

/// A newer refresh cancels the older one, and saves only when that saves no more. When all is said and done the
/// screen shows what the store holds: the new letters, or after a failure or a cancel the old ones.
@MainActor @Observable final class HardenedInbox: InboxModel {
  private struct Refresh {
    let number: Int
    let task: Task<Void, Never>
  }

  private(set) var screen = InboxScreen()
  @ObservationIgnored private var latest: Refresh?
  @ObservationIgnored private var settled = InboxScreen.Phase.idle
  @ObservationIgnored private let saves = Turns()
  @ObservationIgnored private let client: InboxClient
  @ObservationIgnored private let archive: InboxArchive
  @ObservationIgnored private let clock: any WallClock
  @ObservationIgnored private let staleAfter: TimeInterval

  init(
    service: any InboxService, store: any InboxStore, clock: any WallClock, staleAfter: TimeInterval
  ) {
    client = InboxClient(service: service)
    archive = InboxArchive(store: store)
    self.clock = clock
    self.staleAfter = staleAfter
  }

  func refresh() async {
    let older = latest
    older?.task.cancel()  // guard: newer-cancels-older
    let number = (older?.number ?? 0) + 1
    let task = Task { await run(number) }
    latest = Refresh(number: number, task: task)
    screen.phase = .loading
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()  // guard: cancel-reaches-refresh
    }
  }

  private func run(_ number: Int) async {
    var phase: InboxScreen.Phase
    do {
      try await load()
      phase = .loaded
    } catch {
      phase = Task.isCancelled ? settled : .failed  // guard: cancel-is-not-failure => phase = .failed
    }
    // The older one may still be saving.
    await saves.take()
    defer { saves.give() }
    // In a task that nobody cancels: whatever has become of this one, the screen shows what is saved.
    // undone: let saved = try? await archive.saved()
    let saved = try? await Task { try await archive.saved() }.value  // guard: show-what-is-saved
    if let saved { screen.letters = saved.letters }
    // Not a guard, since a newer one settles later: without it, only the spinner would stop too early.
    guard number == latest?.number else { return }
    // What was loaded has been saved, so there is something to show: what is saved could not be read.
    if saved == nil, phase == .loaded { phase = .failed }
    screen.phase = phase
    settled = phase
  }

  private func load() async throws {
    if let saved = try await archive.saved(), age(of: saved) < staleAfter { return }
    var letters: [Letter] = []
    for envelope in try await client.envelopes() {
      letters.append(try await Letter.decoded(from: envelope))
    }
    await saves.take()  // guard: save-after-older
    defer { saves.give() }  // guard: save-after-older
    try await archive.save(SavedInbox(letters: letters, savedAt: clock.now))
  }

  private func age(of saved: SavedInbox) -> TimeInterval {
    clock.now.timeIntervalSince(saved.savedAt)
  }
}

/// Owns the network.
private actor InboxClient {
  private let service: any InboxService

  init(service: any InboxService) {
    self.service = service
  }

  func envelopes() async throws -> [Envelope] { try await service.envelopes() }
}

/// Owns the store.
private actor InboxArchive {
  private let store: any InboxStore

  init(store: any InboxStore) {
    self.store = store
  }

  func saved() async throws -> SavedInbox? { try await store.saved() }

  func save(_ inbox: SavedInbox) async throws {
    try Task.checkCancellation()  // guard: no-save-when-cancelled
    try await store.save(inbox)
  }
}

// Not guards: the turn in which a refresh settles; the owners of the layers; the record of the latest refresh, which the guards read, and the refresh itself, taken apart so
// that they have a place to stand.
