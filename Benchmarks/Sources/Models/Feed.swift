import Simulator
import TwinPrograms

extension TwinProgram {
  /// A feed is loaded page by page, and begins anew when the user wants to see what was posted meanwhile.
  static let feed = TwinProgram(
    "feed", "a main-actor model, a server that grows, polling, retries",
    bug: "A page that is asked for again counts as one of the new feed, although it follows the old one.",
    deviations: 3
  ) { simulation, twin in
    let server = FakeFeedServer()
    let model = await FeedModel(server, twin)
    let world = Task {
      try await Task.sleep(for: .milliseconds(simulation.choose(.delay, among: [1200, 450, 850])))
      await server.publish()
    }
    let user = Task { @MainActor in try await read(model, simulation) }
    let banner = Task { @MainActor in try await watch(model, simulation) }
    _ = await (world.result, user.result, banner.result)
    try await Task.sleep(for: .seconds(5))
    let (shown, all) = (await model.posts, await server.posts)
    if let first = shown.first, let start = all.firstIndex(of: first),
      !all[start...].starts(with: shown)
    {
      simulation.fail("a feed without gaps", "shown are \(shown)")
    }
  }
}

/// The user scrolls down.
@MainActor private func read(_ model: FeedModel, _ simulation: Simulation) async throws {
  func pause(_ milliseconds: Int...) async throws {
    try await Task.sleep(for: .milliseconds(simulation.choose(.delay, among: milliseconds)))
  }
  await model.refresh()
  try await pause(200, 350)
  await model.loadMore()
  try await pause(300, 500, 150)
  await model.loadMore()
  try await pause(1500, 400)
  await model.loadMore()
}

/// A banner tells of new posts; the user taps it sooner or later.
@MainActor private func watch(_ model: FeedModel, _ simulation: Simulation) async throws {
  for _ in 0..<4 {
    try await Task.sleep(for: .milliseconds(500))
    guard await model.hasNewPosts() else { continue }
    try await Task.sleep(for: .milliseconds(simulation.choose(.delay, among: [1200, 500, 60])))
    await model.refresh()
  }
}

// MARK: - The app

private protocol FeedService: Sendable {
  /// The posts after `post`, the newest first; from the newest on if it is nil.
  func page(after post: Int?) async throws -> [Int]
  func newest() async throws -> Int?
}

@MainActor private final class FeedModel {
  private(set) var posts: [Int] = []
  private(set) var isLoading = false
  private(set) var message: String?
  private var hasEnd = false
  /// Which feed is shown: a page that follows an older one must not be appended.
  private var generation = 0
  private var refreshes = 0
  private let service: any FeedService
  private let twin: TwinProgram.Twin

  init(_ service: any FeedService, _ twin: TwinProgram.Twin) {
    self.service = service
    self.twin = twin
  }

  func refresh() async {
    refreshes += 1
    let mine = refreshes
    message = nil
    do {
      let first = try await service.page(after: nil)
      guard mine == refreshes else { return }
      posts = first
      hasEnd = false
      generation += 1
    } catch {
      if mine == refreshes { message = "The feed could not be loaded." }
    }
  }

  func hasNewPosts() async -> Bool {
    guard let newest = try? await service.newest(), let first = posts.first else { return false }
    return newest > first
  }

  func loadMore() async {
    guard !isLoading, !hasEnd, let last = posts.last else { return }
    isLoading = true
    defer { isLoading = false }
    let started = generation
    for pause in [0, 150, 300, nil] {
      // A page that was asked for in vain is no reason to drop what comes now.
      let mine = twin == .seeded ? generation : started
      guard mine == generation else { return }
      do {
        append(try await service.page(after: last), of: mine)
        return
      } catch {
        guard let pause else { break }
        try? await Task.sleep(for: .milliseconds(pause))
      }
    }
    message = "No more posts could be loaded."
  }

  private func append(_ page: [Int], of mine: Int) {
    guard mine == generation else { return }
    posts += page
    hasEnd = page.isEmpty
    message = nil
  }
}

// MARK: - The server

private actor FakeFeedServer: CallRecording, FeedService {
  nonisolated let name = "feed"
  private let recorder = CallRecorder(
    "feed",
    [
      "page": [
        FakeBehavior(
          delay: .oneOf(.milliseconds(80), .milliseconds(200), .milliseconds(450)),
          replies: [.ok(), .offline, .status(503)])
      ],
      "newest": [
        FakeBehavior(delay: .oneOf(.milliseconds(40), .milliseconds(150)), replies: [.ok(), .offline])
      ],
    ])
  private(set) var posts = Array((1...20).reversed())

  private static let pageSize = 4

  nonisolated var calls: [CallRecord] { recorder.calls }

  func publish() { posts.insert(posts.count + 1, at: 0) }

  nonisolated(nonsending) func page(after post: Int?) async throws -> [Int] {
    try await recorder.call("page", post.map { .int($0) } ?? .none) { try await serve(post, $0) }
  }

  nonisolated(nonsending) func newest() async throws -> Int? {
    try await recorder.call("newest") { try await serveNewest($0) }
  }

  private func serve(_ post: Int?, _ call: PendingCall) async throws -> [Int] {
    try await call.end(showing: { .list($0.map { .int($0) }) }) {
      try await call.arrive()
      try refuse(call)
      let start = post.flatMap { posts.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      return Array(posts[start...].prefix(Self.pageSize))
    }
  }

  private func serveNewest(_ call: PendingCall) async throws -> Int? {
    try await call.end {
      try await call.arrive()
      try refuse(call)
      return posts.first
    }
  }

  private func refuse(_ call: PendingCall) throws {
    if let error = call.reply.error { throw error }
    if call.reply.status != 200 { throw Unavailable(status: call.reply.status) }
  }
}

private struct Unavailable: Error {
  let status: Int
}
