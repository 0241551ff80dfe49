import Observation

/// Loads in its own task: what is awaited there is cancelled with it.
struct HardenedArticleView: ArticleView {
  let model: any ArticleModel

  func task() async {
    await model.load()  // guard: view-task-is-structured => await Task { await model.load() }.value
  }
}

/// Keeps the task in order to replace it, and hands its waiter's cancel on to it. A load that was cancelled leaves the screen as it was
/// before.
@MainActor @Observable final class HardenedArticleModel: ArticleModel {
  private(set) var screen = ArticleScreen.empty
  @ObservationIgnored private var loads = Loads(ArticleScreen.empty)
  @ObservationIgnored private var loading: Task<Void, Never>?
  @ObservationIgnored private let client: any ArticleClient

  init(client: any ArticleClient) {
    self.client = client
  }

  func load() async {
    loading?.cancel()
    let load = loads.begin()
    let task = Task { await show(load) }
    loading = task
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()  // guard: model-hands-on-cancel
    }
  }

  private func show(_ load: Int) async {
    screen = .loading
    do {
      let article = try await client.article()
      try Task.checkCancellation()
      loads.end(load, with: .loaded(article))
    } catch {
      let isLoggedOut = error.isCancellation && !Task.isCancelled
      loads.end(load, with: isLoggedOut ? .empty : Task.isCancelled ? nil : .failed)
    }
    screen = loads.isLoading ? .loading : loads.settled
  }
}

/// Keeps its requests in order to cancel them all when the user logs out, and hands an asker's cancel on to
/// its own.
actor HardenedArticleClient: ArticleClient {
  private var requests: [Task<String, any Error>] = []
  private let transport: any ArticleTransport

  init(transport: any ArticleTransport) {
    self.transport = transport
  }

  func article() async throws -> Article {
    let request = Task { try await transport.send("/article") }
    requests.append(request)
    defer { requests.removeAll { $0 == request } }
    let title = try await withTaskCancellationHandler {
      try await request.value
    } onCancel: {
      request.cancel()  // guard: client-hands-on-cancel
    }
    // The transport may have been deaf: nothing comes after a log-out.
    if request.isCancelled { throw CancellationError() }
    return Article(title: title)
  }

  var requestsUnderWay: Int { requests.count }

  func cancelAll() {
    for request in requests { request.cancel() }
  }
}

/// Gets away from its caller's actor within its caller's task.
struct HardenedArticleTransport: ArticleTransport {
  let connection: any ArticleConnection

  @concurrent func send(_ path: String) async throws -> String {
    // undone: try await Task.detached { try await connection.get(path) }.value
    try await connection.get(path)  // guard: transport-task-is-structured
  }
}

// Not guards: the frames that hand a cancel on, which their guards fill, and the signature of the marked line
// in the transport, which cannot stand without it.
