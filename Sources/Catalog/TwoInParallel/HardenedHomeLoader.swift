/// Collects in an actor that takes in each result and draws the conclusion in one step. The first failure or
/// cancel is the result; what comes after the result is dropped.
struct HardenedHomeLoader: HomeLoader {
  struct QueueIsSuspended: Error {}

  let service: any HomeService

  func load(_ completion: @escaping Callback<Home>) throws -> HomeRequest {
    if service.isSuspended { throw QueueIsSuspended() }  // guard: refuse-suspended-queue
    let collector = Collector(completion)
    let member = service.member { member in Task { await collector.receive(member) } }
    let feed = service.feed { feed in Task { await collector.receive(feed) } }
    return HomeRequest(
      member: CancellableRequest(handle: member) { await collector.cancelMember() },
      feed: CancellableRequest(handle: feed) { await collector.cancelFeed() })
  }

  /// A cancel of what has not come is the result, whether the service calls back for it or not.
  private struct CancellableRequest: RequestHandle {
    let handle: any RequestHandle
    let note: @Sendable () async -> Void

    func cancel() {
      handle.cancel()
      Task { await note() }  // guard: cancel-is-a-result
    }
  }

  private actor Collector {
    private var member: Member?
    private var feed: HomeFeed?
    private var completion: Callback<Home>?

    init(_ completion: @escaping Callback<Home>) {
      self.completion = completion
    }

    func receive(_ member: Result<Member, any Error>) {
      switch member {
      case .success(let member): self.member = member
      case .failure(let error): finish(.failure(error))
      }
      finishIfComplete()
    }

    func receive(_ feed: Result<HomeFeed, any Error>) {
      switch feed {
      case .success(let feed): self.feed = feed
      case .failure(let error): finish(.failure(error))
      }
      finishIfComplete()
    }

    func cancelMember() {
      if member == nil { finish(.failure(CancellationError())) }
    }

    func cancelFeed() {
      if feed == nil { finish(.failure(CancellationError())) }
    }

    private func finish(_ result: Result<Home, any Error>) {
      completion?(result)
      completion = nil  // guard: at-most-once
    }

    private func finishIfComplete() {
      guard let member, let feed else { return }
      finish(.success(Home(member: member, feed: feed)))
    }
  }
}

// Not guards: the collector and the requests that lead to it, in which the guards stand: without them nothing
// is loaded.
