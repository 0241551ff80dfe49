import Observation

/// Gives every search a version. Only the latest may touch the screen, whether it has found something or
/// failed; older ones are cancelled, and nobody relies on it.
@MainActor @Observable final class HardenedSearch: SearchModel {
  private(set) var screen = SearchScreen()
  @ObservationIgnored private var version = 0
  @ObservationIgnored private var task: Task<Void, Never>?
  @ObservationIgnored private let client: SearchClient

  init(service: any SearchService) {
    client = SearchClient(service: service)
  }

  func search(for query: String) {
    version += 1
    screen.query = query
    screen.phase = .searching
    task?.cancel()  // guard: cancel-the-older
    task = Task { [version] in await load(query, version) }
  }

  private func load(_ query: String, _ version: Int) async {
    do {
      let results = try await client.results(for: query)
      guard version == self.version else { return }  // guard: gate-results
      screen.results = results
      screen.phase = .found
    } catch {
      guard version == self.version else { return }  // guard: gate-failures
      screen.phase = .failed
    }
  }
}

// Not guards: the version and the task, which the guards read.
