/// Keeps the search under way and cancels it when a newer one begins. Asks the task whether it was cancelled, and not the
/// error, which may be of any type, or none.
@MainActor final class HardenedSessionSearch: SearchModel {
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
    task?.cancel()  // guard: stored-task-is-cancelled
    task = Task { await load(query) }
  }

  private func load(_ query: String) async {
    do {
      let results = try await client.results(for: query)
      guard !Task.isCancelled else { return }  // guard: no-stored-results-when-cancelled
      show {
        $0.results = results
        $0.phase = .found
      }
    } catch {
      // undone: guard !(error is CancellationError) else { return }
      guard !Task.isCancelled else { return }  // guard: session-cancel-is-cancel
      show { $0.phase = .failed }
    }
  }

  private func show(_ change: (inout SearchScreen) -> Void) {
    change(&screen)
    display.show(screen)
  }
}

// Not guards: the task, which the guards cancel and ask.
