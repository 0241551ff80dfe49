import Simulator

extension FakeNetwork: ProfileService {
  nonisolated func profile() async throws -> Profile {
    try await exchange("GET /profile", showing: { .text($0.name) }) { _ in Profile(name: "Ada") }
  }
}

extension FakeStore: ProfileStore {
  nonisolated func save(_ profile: Profile) async throws {
    try await write(profile, for: "profile")
  }
}

extension ProfileScreen {
  var shown: Trace.Value {
    switch self {
    case .empty: "empty"
    case .loading: "loading"
    case .loaded(let profile): .text(profile.name)
    case .failed: "failed"
    }
  }
}
