import CatalogInSwift5
import Scenarios
import Simulator

/// A list of headlines, whose model may belong to the main actor or to nobody.
final class StateOffMain: System {
  // page: screen
  nonisolated static let screen = SystemScreen(
    "screen", showing: ["GET /headlines": nil], initially: "empty", waitsFor: ["GET /headlines"])

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], requests: ["GET /headlines"])

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.returnsWhenDone("refresh")),
      .settlesWithin,
    ]
  // page: end

  nonisolated static let descriptor = SystemDescriptor(
    "state-off-main", "Headlines that are fetched and shown, by a model on the main actor or elsewhere.",
    variants: [
      .init(
        "naive", "Belongs to no actor, which only Swift 5 mode accepts.",
        diagnoses: [
          "screen-only-on-main": [.offTheMainActor], "latest-wins": [.staleOverNewer],
          "cancel-is-not-failure": [.cancelAsFailure],
        ], breaks: ["screen-only-on-main"]),
      .init(
        "locked", "Guards its state with a lock: free of data races, and still off the main actor.",
        diagnoses: [
          "screen-only-on-main": [.offTheMainActor], "latest-wins": [.staleOverNewer],
          "cancel-is-not-failure": [.cancelAsFailure],
        ], breaks: ["screen-only-on-main"]),
      .init(
        "callback", "Shows the reply where `URLSession` calls back, which only Swift 5 mode accepts.",
        diagnoses: [
          "screen-only-on-main": [.offTheMainActor], "latest-wins": [.staleOverNewer],
          "settles-within": [.settledTooLate],
        ], breaks: ["screen-only-on-main", "cancellation-reaches-transport"]),
      .init(
        "callback-on-main", "Goes to the main actor to show the reply. A cancel does not reach the request.",
        diagnoses: ["latest-wins": [.staleOverNewer], "settles-within": [.settledTooLate]],
        breaks: ["cancellation-reaches-transport"]),
      .init("hardened", "Belongs to the main actor."),
    ],
    actions: [.init("refresh", "The user pulls to refresh.")],
    fakes: [
      .init(
        "network", "The newspaper.",
        operations: [.init("GET /headlines", "Asks for the headlines.", replies: ["ok", "offline"])])
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "State that a screen shows and that no actor owns, which only Swift 5 mode accepts; and the "
        + "lock that is offered as a remedy.",
      sources: [
        "naive": ["../../CatalogInSwift5/StateOffMain/NaiveHeadlines.swift"],
        "locked": ["LockedHeadlines.swift"],
        "callback": ["../../CatalogInSwift5/StateOffMain/CallbackHeadlines.swift"],
        "callback-on-main": ["../../CatalogInSwift5/StateOffMain/CallbackOnMainHeadlines.swift"],
        "hardened": ["HardenedHeadlines.swift"],
      ],
      guards: [
        "on-the-main-actor": "The screen would change wherever the reply is taken in.",
        "cancel-reaches-refresh":
          "The refresh runs in a task of its own, which a cancel of the caller would not reach.",
        "latest-refresh": "Older headlines would replace newer ones, or their failure would.",
        "cancel-is-not-failure": "A reader who leaves would see an error although nothing has failed.",
      ]))

  private let view: HeadlinesView
  private var isRead = true

  init(_ variant: String, in world: World) throws {
    switch variant {
    case "naive": view = HeadlinesView(model: NaiveHeadlines(service: world.sessionNetwork()))
    case "locked": view = HeadlinesView(model: LockedHeadlines(service: world.sessionNetwork()))
    case "callback":
      view = HeadlinesView(model: CallbackHeadlines(display: world.newspaper()))
      isRead = false
    case "callback-on-main":
      view = HeadlinesView(model: CallbackOnMainHeadlines(display: world.newspaper()))
      isRead = false
    case "hardened": view = HeadlinesView(model: HardenedHeadlines(service: world.sessionNetwork()))
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "refresh": await view.pull()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    isRead ? [Observed("screen", of: { [view] in view.shown }, shown: \.shown)] : []
  }
}
