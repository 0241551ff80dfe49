/// Keeps the search under way and cancels it when a newer one begins. Expects a `CancellationError` then, as a task throws it;
/// `URLSession` throws an error of its own, which is shown as a failure.
@MainActor final class NaiveSessionSearch: SearchModel {
  private(set) var screen = SearchScreen()
  private var task: Task<Void, Never>?
  private let display: any SearchDisplay
  private let client: SearchClient

  init(service: any SearchService, display: any SearchDisplay) {
    self.display = display
    client = SearchClient(service: service)
  }

  func search(for query: String) {
    show {
      $0.query = query
      $0.phase = .searching
    }
    task?.cancel()
    task = Task { await load(query) }
  }

  private func load(_ query: String) async {
    do {
      let results = try await client.results(for: query)
      show {
        $0.results = results
        $0.phase = .found
      }
    } catch is CancellationError {
      // A newer search is under way.
    } catch {
      show { $0.phase = .failed }
    }
  }

  private func show(_ change: (inout SearchScreen) -> Void) {
    change(&screen)
    display.show(screen)
  }
}
