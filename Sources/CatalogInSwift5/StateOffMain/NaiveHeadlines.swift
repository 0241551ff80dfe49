import Observation

/// Belongs to no actor: called from the main actor or not, its async method runs on the concurrent pool and
/// changes there what the screen reads.
@Observable package final class NaiveHeadlines: HeadlinesModel {
  package private(set) var screen = HeadlinesScreen.empty
  @ObservationIgnored private let service: any HeadlinesService

  package init(service: any HeadlinesService) {
    self.service = service
  }

  package func refresh() async {
    screen = .loading
    do {
      screen = .loaded(try await service.headlines())
    } catch {
      screen = .failed
    }
  }
}
