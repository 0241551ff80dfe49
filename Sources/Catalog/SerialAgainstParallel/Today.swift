/// What the start screen shows: two things that have nothing to do with each other.
struct Today: Hashable, Sendable {
  let weather: String
  let appointments: [String]
}

/// The screen.
enum TodayScreen: Hashable, Sendable {
  case empty, loading, loaded(Today), failed
}

/// The model behind the screen.
@MainActor protocol TodayModel: AnyObject {
  var screen: TodayScreen { get }
  func load() async
}

// MARK: - Seams

protocol TodayService: Sendable {
  func weather() async throws -> String
  func appointments() async throws -> [String]
}
