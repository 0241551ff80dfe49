import Observation

/// What two screens show.
struct Playlist: Hashable, Sendable {
  let titles: [String]
}

/// What one of them shows.
enum PlaylistScreen: Hashable, Sendable {
  case empty, loading, loaded(Playlist), failed
}

/// Where both get it from.
protocol PlaylistSource: Sendable {
  func playlist() async throws -> Playlist
}

/// The model behind each.
@MainActor @Observable final class PlaylistModel {
  private(set) var screen = PlaylistScreen.empty
  @ObservationIgnored private var loads = Loads(PlaylistScreen.empty)
  @ObservationIgnored private let source: any PlaylistSource

  init(source: any PlaylistSource) {
    self.source = source
  }

  func load() async throws {
    let load = loads.begin()
    screen = .loading
    defer { screen = loads.isLoading ? .loading : loads.settled }
    do {
      loads.end(load, with: .loaded(try await source.playlist()))
    } catch {
      loads.end(load, with: error.isCancellation ? nil : .failed)
      throw error
    }
  }
}

// MARK: - Seams

protocol PlaylistService: Sendable {
  func fetchPlaylist() async throws -> Playlist
}

protocol PlaylistStore: Sendable {
  func save(_ playlist: Playlist) async throws
}
