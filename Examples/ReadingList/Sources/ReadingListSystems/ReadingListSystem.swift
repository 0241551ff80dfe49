import ReadingList
public import Scenarios
import Simulator

/// The reading list as scenario files know it.
public final class ReadingListSystem: System {
  public nonisolated static let checks = [
    SystemCheck(.latestWins("GET /articles", on: "screen")), .settlesWithin,
  ]

  public nonisolated static let descriptor = SystemDescriptor(
    "reading-list", "A list that is pulled to refresh.",
    variants: [
      .init("first", "Whoever answers last wins."),
      .init("careful", "An answer counts only while nobody has asked again."),
    ],
    actions: [.init("refresh", "Pulls to refresh.")],
    fakes: [
      .init(
        "network", "The server.",
        operations: [.init("GET /articles", "Asks for the articles.", replies: ["ok", "offline"])])
    ],
    invariants: checks.map(\.descriptor))

  private let model: any ReadingListModel

  public init(_ variant: String, in world: World) throws {
    let source = Editions(network: world.network())
    switch variant {
    case "first": model = FirstReadingListModel(source: source)
    case "careful": model = CarefulReadingListModel(source: source)
    default: throw UnknownName("variant", variant)
    }
  }

  public func perform(_ action: UserAction) async throws { await model.refresh() }

  public var observed: [Observed] {
    [Observed("screen", of: { [model] in model.articles }) { .int($0.count) }]
  }
}

/// Each answer of the server has one article more.
private struct Editions: ArticleSource {
  let network: FakeNetwork

  func articles() async throws -> [Article] {
    try await network.exchange("GET /articles", showing: { .int($0.count) }) { served in
      (1...served.number).map { Article(id: $0, title: "Article \($0)") }
    }
  }
}
