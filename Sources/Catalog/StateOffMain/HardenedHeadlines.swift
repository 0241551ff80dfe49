import CatalogInSwift5
import Observation

/// Belongs to the main actor, and so does all that it shows. The wait for the server does not keep the main
/// actor.
@MainActor  // guard: on-the-main-actor
@Observable final class HardenedHeadlines: HeadlinesModel {
  private(set) var screen = HeadlinesScreen.empty
  @ObservationIgnored private let service: any HeadlinesService

  init(service: any HeadlinesService) {
    self.service = service
  }

  func refresh() async {
    screen = .loading
    do {
      screen = .loaded(try await service.headlines())
    } catch {
      screen = .failed
    }
  }
}

// Not guards: the same model in Swift 6, on the actor that is marked.
