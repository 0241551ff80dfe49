import Observation

/// Starts a search with every key, and shows whatever comes.
@MainActor @Observable final class NaiveSearch: SearchModel {
  private(set) var screen = SearchScreen()
  @ObservationIgnored private let service: any SearchService

  init(service: any SearchService) {
    self.service = service
  }

  func search(for query: String) {
    screen.query = query
    screen.phase = .searching
    Task {
      do {
        screen.results = try await service.results(for: query)
        screen.phase = .found
      } catch {
        screen.phase = .failed
      }
    }
  }
}
