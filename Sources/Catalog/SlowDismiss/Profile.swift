/// Who the user looks at.
struct Profile: Hashable, Sendable {
  let name: String
}

/// What the profile screen shows.
enum ProfileScreen: Hashable, Sendable {
  case empty, loading, loaded(Profile), failed
}

/// The model behind the screen.
@MainActor protocol ProfileModel: AnyObject {
  var screen: ProfileScreen { get }
  func appear()
  func disappear()
}

// MARK: - Seams

protocol ProfileService: Sendable {
  func profile() async throws -> Profile
}

protocol ProfileStore: Sendable {
  func save(_ profile: Profile) async throws
}
