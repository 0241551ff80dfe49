import Observation

/// Keeps the task of the last key and cancels it with the next. It relies on the service to give up for a
/// cancel.
@MainActor @Observable final class PublishedSearch: SearchModel {
  private(set) var screen = SearchScreen()
  @ObservationIgnored private var task: Task<Void, Never>?
  @ObservationIgnored private let service: any SearchService

  init(service: any SearchService) {
    self.service = service
  }

  func search(for query: String) {
    task?.cancel()
    screen.query = query
    screen.phase = .searching
    task = Task {
      do {
        screen.results = try await service.results(for: query)
        screen.phase = .found
      } catch let error where error.isCancellation {
        // The next key's search is under way.
      } catch {
        screen.phase = .failed
      }
    }
  }
}
