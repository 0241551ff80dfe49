import Scenarios
import Simulator

/// A test of a search, which may wait for what it tests or not.
final class TestOfSearch: System {
  nonisolated static let boundaries = SystemBoundaries(network: ["network"])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.testPasses("test", of: "GET /search")),
      .settlesWithin,
    ]

  nonisolated static let descriptor = SystemDescriptor(
    "test-of-search", "A test that starts two searches, of which the newer is to win.",
    variants: [
      .init(
        "published", "Asserts at once, when no search has begun: it passes, whatever the search does.",
        untested: ["test-passes"]),
      .init(
        "hardened", "Waits for both searches, and then asserts.",
        diagnoses: ["test-passes": [.staleOverNewer]], isSound: true),
    ],
    actions: [.init("test", "The test runs, with a search of its own.")],
    fakes: [
      .init(
        "network", "The server.",
        operations: [.init("GET /search", "Asks for results.", replies: ["ok", "offline"])])
    ],
    settings: [
      .string(
        "search", "What is tested: `gated`, or `ungated`, which shows whatever comes.", default: "gated")
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "The test of an article on lifetimes, which starts two searches in tasks and asserts at once. "
        + "Such a test is green for every search, and stays so when the search breaks.",
      sources: [
        "published": ["PublishedSearchTest.swift"],
        "hardened": ["HardenedSearchTest.swift"],
      ]))

  private let test: any SearchTest
  private let makeSearch: @MainActor () -> any TestedSearch

  init(_ variant: String, in world: World) throws {
    let service = world.sessionNetwork()
    switch world.settings.string("search") ?? "" {
    case "gated": makeSearch = { GatedSearch(service: service) }
    case "ungated": makeSearch = { UngatedSearch(service: service) }
    case let other: throw UnknownName("search", other)
    }
    switch variant {
    case "published": test = PublishedSearchTest()
    case "hardened": test = HardenedSearchTest()
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "test": try await test.run(makeSearch())
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] { [] }
}
