import Observation

/// Counts its searches: results count only if no newer search has begun since. Nothing is cancelled, and a failure is
/// shown whenever it comes.
@MainActor @Observable final class PublishedSearch: SearchModel {
  private(set) var screen = SearchScreen()
  @ObservationIgnored private var version = 0
  @ObservationIgnored private let service: any SearchService

  init(service: any SearchService) {
    self.service = service
  }

  func search(for query: String) {
    version += 1
    let version = version
    screen.query = query
    screen.phase = .searching
    Task {
      do {
        let results = try await service.results(for: query)
        guard version == self.version else { return }
        screen.results = results
        screen.phase = .found
      } catch {
        screen.phase = .failed
      }
    }
  }
}
