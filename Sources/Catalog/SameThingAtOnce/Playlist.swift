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
  /// What the last load has brought that was not cancelled.
  @ObservationIgnored private var settled = PlaylistScreen.empty
  @ObservationIgnored private let source: any PlaylistSource

  init(source: any PlaylistSource) {
    self.source = source
  }

  func load() async throws {
    screen = .loading
    defer { screen = settled }
    do {
      settled = .loaded(try await source.playlist())
    } catch {
      if !error.isCancellation { settled = .failed }
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
