import Observation

/// Who has signed in.
struct Member: Hashable, Sendable {
  let name: String
}

/// What is new.
struct HomeFeed: Hashable, Sendable {
  let stories: [String]
}

/// What the home screen needs before it can be shown.
struct Home: Hashable, Sendable {
  let member: Member
  let feed: HomeFeed
}

typealias Callback<Success> = @Sendable (Result<Success, any Error>) -> Void

/// Loads member and feed side by side.
protocol HomeLoader: Sendable {
  /// Calls `completion` exactly once; when it throws, never.
  func load(_ completion: @escaping Callback<Home>) throws -> HomeRequest
}

/// The two requests under way; each can be cancelled alone.
struct HomeRequest: Sendable {
  let member: any RequestHandle
  let feed: any RequestHandle
}

/// The launch screen, which goes on to the home screen when all is there.
@MainActor @Observable final class LaunchModel {
  enum Screen: Hashable, Sendable {
    case launching, home(Home), failed
  }

  private(set) var screen = Screen.launching
  /// How often it went on from the launch screen.
  private(set) var continuations = 0
  @ObservationIgnored private var request: HomeRequest?
  @ObservationIgnored private let loader: any HomeLoader

  init(loader: any HomeLoader) {
    self.loader = loader
  }

  func launch() {
    do {
      request = try loader.load { result in
        Task { @MainActor in self.goOn(with: result) }
      }
    } catch {
      goOn(with: .failure(error))
    }
  }

  func skipFeed() {
    request?.feed.cancel()
  }

  private func goOn(with result: Result<Home, any Error>) {
    continuations += 1
    screen = (try? result.get()).map(Screen.home) ?? .failed
  }
}

// MARK: - Seams

/// Calls back on a queue of its own, once for each request.
protocol HomeService: Sendable {
  /// Whether its queue has been suspended: then it calls nobody back.
  var isSuspended: Bool { get }
  func member(_ completion: @escaping Callback<Member>) -> any RequestHandle
  func feed(_ completion: @escaping Callback<HomeFeed>) -> any RequestHandle
}

protocol RequestHandle: Sendable {
  func cancel()
}
