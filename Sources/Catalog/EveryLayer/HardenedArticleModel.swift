import Observation

/// Keeps the task in order to replace it, and hands its waiter's cancel on to it.
@MainActor @Observable final class HardenedArticleModel: ArticleModel {
  private(set) var screen = ArticleScreen.empty
  @ObservationIgnored private var loading: Task<Void, Never>?
  @ObservationIgnored private let client: any ArticleClient

  init(client: any ArticleClient) {
    self.client = client
  }

  func load() async {
    loading?.cancel()
    let task = Task { await show() }
    loading = task
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()  // guard: model-hands-on-cancel
    }
  }

  private func show() async {
    screen = .loading
    do {
      let article = try await client.article()
      try Task.checkCancellation()
      screen = .loaded(article)
    } catch {
      guard !Task.isCancelled else { return }
      screen = .failed
    }
  }
}

// Not guards: the frame that hands a cancel on, which its guard fills.
