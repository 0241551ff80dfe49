import Observation

/// Keeps the task in order to replace it. Who waits for it may be cancelled; the task is not.
@MainActor @Observable final class NaiveArticleModel: ArticleModel {
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
    await task.value
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
