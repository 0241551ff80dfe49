import Simulator

extension FakeNetwork: FeedService {
  /// The n-th request gets the n-th edition.
  nonisolated func feed() async throws -> String {
    try await exchange("GET /feed", showing: { .text($0) }) { request in "edition \(request.number)" }
  }
}

extension FakeDecoder: FeedDecoder {
  func posts(in text: String) async throws -> [Post] {
    try await work("decode", .text(text), showing: \.shown) { _ in
      text.split(separator: "\n").map { Post(title: String($0)) }
    }
  }
}

extension [Post] {
  var shown: Trace.Value { .list(map { .text($0.title) }) }
}

extension FeedScreen {
  var shown: Trace.Value {
    .record([
      .init("phase", .text(phase.rawValue)), .init("posts", posts.shown), .init("offset", .int(offset)),
    ])
  }
}
