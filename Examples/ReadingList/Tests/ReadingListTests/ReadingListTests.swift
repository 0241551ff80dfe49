import Foundation
import ReadingList
import Simulator
import SimulatorHTTP
import SimulatorTesting
import Testing

extension FakeHTTP: Loader {}

extension Article {
  static let actors = Article(id: 1, title: "Actors")
  static let clocks = Article(id: 2, title: "Clocks")
}

/// Each test is run under up to a thousand schedules.
@MainActor @Suite(.simulated(schedules: 1_000, exhaustiveDeviationBound: 1)) struct `The reading list` {
  private static let anyTime = FakeTiming.between(.milliseconds(50), and: .seconds(5))

  /// Two editions: the second request gets one article more.
  private let http = FakeHTTP([
    "GET /articles": [
      FakeBehavior(delay: anyTime, replies: [.json([Article.actors])]),
      FakeBehavior(delay: anyTime, replies: [.json([Article.actors, .clocks])]),
    ]
  ])

  private var server: ArticleServer { ArticleServer(URL(string: "https://example.org")!, loader: http) }

  @Test func `shows the edition that was asked for last, whichever comes last`() async throws {
    let model = CarefulReadingListModel(source: server)
    let first = Task { await model.refresh() }
    try await Task.sleep(for: .milliseconds(10))
    await model.refresh()
    await first.value
    #expect(model.articles == [.actors, .clocks])
    #expect(http.received("GET /articles").twice)
  }

  @Test func `does not call it a failure to be left`() async throws {
    let model = CarefulReadingListModel(source: server)
    let refresh = Task { await model.refresh() }
    try #require(Simulation.current).anytime("leave") { refresh.cancel() }
    await refresh.value
    #expect(!model.hasFailed)
  }

  @Test func `says so when the server cannot be reached`() async throws {
    let offline = FakeHTTP(otherwise: FakeBehavior(delay: Self.anyTime, replies: [.offline, .status(500)]))
    let model = CarefulReadingListModel(
      source: ArticleServer(URL(string: "https://example.org")!, loader: offline))
    await model.refresh()
    #expect(model.hasFailed)
    #expect(offline.received("GET /articles").once)
  }
}

/// What the trait would have said about the model as it was written first.
@Suite struct `The first reading list` {
  @Test func `went back to the older edition`() {
    let report = explore { simulation in
      let network = FakeNetwork([
        "GET": [
          FakeBehavior(delay: .between(.milliseconds(50), and: .seconds(5))),
          FakeBehavior(delay: .seconds(1)),
        ]
      ])
      let model = await FirstReadingListModel(source: Editions(network: network))
      let first = Task { await model.refresh() }
      let second = Task { await model.refresh() }
      _ = await (first.value, second.value)
      if await model.articles.count != 2 { simulation.fail("latest wins", "the older edition is shown") }
    }
    #expect(report.violations.map(\.invariant) == ["latest wins"])
  }

  private struct Editions: ArticleSource {
    let network: FakeNetwork

    func articles() async throws -> [Article] {
      try await network.exchange("GET") { $0.number == 1 ? [.actors] : [.actors, .clocks] }
    }
  }
}
