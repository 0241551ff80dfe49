import Scenarios
import Simulator

/// A list of results that follows what is being typed.
final class SearchAsYouType: System {
  nonisolated static let screen = SystemScreen(
    "screen", "phase", showing: ["GET /search": "results"], initially: "idle", waiting: "searching",
    waitsFor: ["GET /search"])

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], requests: ["GET /search"],
    except: [
      .cancellationReachesTransport: "A request ends with its screen, and not with the tap that began it."
    ])

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.listFitsQuery(on: "screen")),
      .responsiveWithin("type", on: "screen", "query"),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] { screen.exceptions + boundaries.exceptions }

  nonisolated static let descriptor = SystemDescriptor(
    "search-as-you-type", "A search that starts anew with every key.",
    variants: [
      .init(
        "naive", "Starts a search with every key and shows whatever comes.",
        diagnoses: [
          "latest-wins": [.staleOverNewer], "list-fits-query": [.staleOverNewer],
          "settles-within": [.settledTooLate],
        ],
        breaks: ["asked-off-main"]),
      .init(
        "published", "Counts its searches and gates what they find, not how they fail.",
        diagnoses: ["latest-wins": [.staleOverNewer], "settles-within": [.settledTooLate]],
        breaks: ["asked-off-main"]),
      .init(
        "session-naive",
        "Cancels the older search and catches `CancellationError`: `URLSession` throws an error of its own.",
        diagnoses: [
          "cancel-is-not-failure": [.cancelAsFailure], "list-fits-query": [.staleOverNewer],
        ]),
      .init("session", "Cancels the older search and asks its task, not its error, whether it was."),
      .init("restarting", "Leaves it to an owner that restarts; what was cancelled touches nothing."),
      .init("hardened", "Lets only the latest version touch the screen, with results and with failures."),
    ],
    actions: [
      .init(
        "type", "The user types.", arguments: [.string("text", "What, key by key.", among: ["sea", "su"])])
    ],
    fakes: [
      .init(
        "keyboard", "The user's fingers.",
        operations: [.init("key", "Waits before it presses the next key.", acceptedKeys: [.delay, .calls])]),
      .init(
        "network", "The server.",
        operations: [.init("GET /search", "Asks for results.", replies: ["ok", "offline"])]),
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "The search field of every article on debouncing and on `task(id:)`: a version counter that "
        + "gates results, with errors left as an afterthought.",
      sources: [
        "naive": ["NaiveSearch.swift"],
        "published": ["PublishedSearch.swift"],
        "session-naive": ["NaiveSessionSearch.swift"],
        "session": ["HardenedSessionSearch.swift"],
        "restarting": ["RestartingSearch.swift"],
        "hardened": ["HardenedSearch.swift"],
      ],
      guards: [
        "cancel-the-older": "Older searches would go on for nothing.",
        "gate-results": "A network that ignores the cancel would show an older query's results.",
        "gate-failures": "An older query's failure, or its cancel, would replace the newer results.",
        "no-results-when-cancelled": "A network that ignores the cancel would show an older query's results.",
        "no-failure-when-cancelled": "The cancel of an older search would be shown as a failure.",
        "stored-task-is-cancelled": "Older searches would go on for nothing.",
        "no-stored-results-when-cancelled": "What came just before the cancel would be shown after it.",
        "session-cancel-is-cancel": "The cancel of an older search would be shown as a failure.",
        "restart-cancels": "Older searches would go on for nothing.",
      ]))

  private let model: any SearchModel
  private let keyboard: FakeKeyboard
  private var isRead = true

  init(_ variant: String, in world: World) throws {
    keyboard = world.keyboard()
    switch variant {
    case "naive": model = NaiveSearch(service: world.sessionNetwork())
    case "published": model = PublishedSearch(service: world.sessionNetwork())
    case "session-naive", "session":
      let (service, screen) = world.searchServer()
      isRead = false
      model =
        variant == "session"
        ? HardenedSessionSearch(service: service, display: screen)
        : NaiveSessionSearch(service: service, display: screen)
    case "restarting": model = RestartingSearch(service: world.sessionNetwork())
    case "hardened": model = HardenedSearch(service: world.sessionNetwork())
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.string("text")) {
    case ("type", let text?):
      try await keyboard.type(text) { key in model.search(for: model.screen.query + key) }
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    isRead ? [Observed("screen", of: { [model] in model.screen }, shown: \.shown)] : []
  }
}
