import Observation

/// Keeps the task for as long as the screen is there, cancels it with the screen, and looks after each wait
/// whether it is still wanted.
@MainActor @Observable final class HardenedProfile: ProfileModel {
  private(set) var screen = ProfileScreen.empty
  @ObservationIgnored private var loading: Task<Void, Never>?
  @ObservationIgnored private let saves = Turns()
  @ObservationIgnored private let service: any ProfileService
  @ObservationIgnored private let store: any ProfileStore

  init(service: any ProfileService, store: any ProfileStore) {
    self.service = service
    self.store = store
  }

  func appear() {
    guard loading == nil else { return }
    screen = .loading
    loading = Task { await load() }
  }

  func disappear() {
    loading?.cancel()  // guard: cancelled-with-screen
    loading = nil
  }

  @concurrent  // guard: off-the-main-actor
  private nonisolated static func profile(from service: any ProfileService) async throws -> Profile {
    try await service.profile()
  }

  @concurrent  // guard: off-the-main-actor
  private nonisolated static func save(_ profile: Profile, to store: any ProfileStore) async throws {
    try Task.checkCancellation()  // guard: no-save-after-dismissal
    try await store.save(profile)
  }

  private func load() async {
    do {
      let profile = try await Self.profile(from: service)
      // The load of an earlier visit may still be saving.
      await saves.take()
      defer { saves.give() }
      try await Self.save(profile, to: store)
      try Task.checkCancellation()  // guard: no-publish-after-dismissal
      screen = .loaded(profile)
    } catch {
      guard !Task.isCancelled else { return }  // guard: no-failure-after-dismissal
      screen = .failed
    }
  }
}

// Not guards: the turns of saves; where the task is kept, and the moment at which it is cancelled.
