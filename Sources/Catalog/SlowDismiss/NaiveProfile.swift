import Observation

/// Starts loading when the screen appears. Nobody keeps the task, so nobody can cancel it.
@MainActor @Observable final class NaiveProfile: ProfileModel {
  private(set) var screen = ProfileScreen.empty
  @ObservationIgnored private let service: any ProfileService
  @ObservationIgnored private let store: any ProfileStore

  init(service: any ProfileService, store: any ProfileStore) {
    self.service = service
    self.store = store
  }

  func appear() {
    Task { await load() }
  }

  func disappear() {}

  private func load() async {
    screen = .loading
    do {
      let profile = try await service.profile()
      screen = .loaded(profile)
      try await store.save(profile)
    } catch {
      screen = .failed
    }
  }
}
