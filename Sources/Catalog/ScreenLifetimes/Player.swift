/// A player of the team.
struct Player: Hashable, Sendable {
  let name: String
}

/// What the player's screen shows.
enum PlayerScreen: Hashable, Sendable {
  case empty, loading, loaded(Player), failed
}

/// The model behind the screen. A view tells it when it appears and disappears, and runs ``task()`` for as
/// long as it is there, anew when ``revision`` has changed.
@MainActor protocol PlayerModel: AnyObject {
  var screen: PlayerScreen { get }
  var revision: Int { get }
  /// How many tasks are kept to be cancelled.
  var tasks: Int { get }
  func appear()
  func disappear()
  func task() async
  /// The server says that the player has changed.
  func changed()
}

extension PlayerModel {
  var revision: Int { 0 }
  var tasks: Int { 0 }
  func appear() {}
  func disappear() {}
  func task() async {}
}

// MARK: - Seams

protocol PlayerService: Sendable {
  func player() async throws -> Player
}

extension PlayerService {
  /// The service's answer as the screen shows it.
  func screen() async -> PlayerScreen {
    do { return .loaded(try await player()) } catch { return .failed }
  }
}

/// Owns the network, so that the main actor need not.
actor PlayerClient {
  private let service: any PlayerService

  init(service: any PlayerService) {
    self.service = service
  }

  func screen() async -> PlayerScreen { await service.screen() }
}
