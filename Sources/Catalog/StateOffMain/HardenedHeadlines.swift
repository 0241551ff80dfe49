import CatalogInSwift5
import Observation

/// Belongs to the main actor, and so does all that it shows. The wait for the server does not keep the main
/// actor.
@MainActor  // guard: on-the-main-actor
@Observable final class HardenedHeadlines: HeadlinesModel {
  private(set) var screen = HeadlinesScreen.empty
  @ObservationIgnored private var refreshes = 0
  @ObservationIgnored private var latest: Task<Void, Never>?
  @ObservationIgnored private var settled = HeadlinesScreen.empty
  @ObservationIgnored private let client: HeadlinesClient

  init(service: any HeadlinesService) {
    client = HeadlinesClient(service: service)
  }

  func refresh() async {
    latest?.cancel()
    refreshes += 1
    let number = refreshes
    screen = .loading
    let task = Task { await refresh(number) }
    latest = task
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()  // guard: cancel-reaches-refresh
    }
  }

  private func refresh(_ number: Int) async {
    do {
      let headlines = try await client.headlines()
      guard number == refreshes else { return }  // guard: latest-refresh
      settled = .loaded(headlines)
    } catch {
      guard number == refreshes else { return }  // guard: latest-refresh
      if !Task.isCancelled { settled = .failed }  // guard: cancel-is-not-failure => settled = .failed
    }
    screen = settled
  }
}

/// Owns the network, so that the main actor need not.
private actor HeadlinesClient {
  private let service: any HeadlinesService

  init(service: any HeadlinesService) {
    self.service = service
  }

  func headlines() async throws -> [Headline] { try await service.headlines() }
}

// Not guards: the client; the cancel of the older refresh, without which its request may be the last that is sent, which few schedules show;
// the same model in Swift 6, on the actor that is marked; the number of each refresh, and the task that it runs in; and what the
// screen shows when nothing is under way.
