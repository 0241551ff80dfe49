import Observation

/// Hands the query to an owner that restarts its work when the query changes, as a view's `task(id:)` does. A
/// search that was cancelled touches nothing any more, whether it has found something or failed.
@MainActor @Observable final class RestartingSearch: SearchModel {
  private(set) var screen = SearchScreen()
  @ObservationIgnored private let work = RestartingWork<String>()
  @ObservationIgnored private let client: SearchClient

  init(service: any SearchService) {
    client = SearchClient(service: service)
  }

  func search(for query: String) {
    guard query != screen.query else { return }
    screen.query = query
    screen.phase = .searching
    work.restart(for: query) { await self.load(query) }
  }

  private func load(_ query: String) async {
    do {
      let results = try await client.results(for: query)
      guard !Task.isCancelled else { return }  // guard: no-results-when-cancelled
      screen.results = results
      screen.phase = .found
    } catch {
      guard !Task.isCancelled else { return }  // guard: no-failure-when-cancelled
      screen.phase = .failed
    }
  }
}

/// Work for one thing at a time: another `id` cancels it and starts anew.
@MainActor private final class RestartingWork<ID: Hashable> {
  private var id: ID?
  private var task: Task<Void, Never>?

  func restart(for id: ID, _ work: @escaping @MainActor () async -> Void) {
    guard id != self.id else { return }
    self.id = id
    task?.cancel()  // guard: restart-cancels
    task = Task { await work() }
  }
}
