import Foundation
import Scenarios
import Simulator

/// An inbox that is refreshed, by pulling, while a refresh is already under way.
final class InboxRefresh: System {
  nonisolated static let screen = SystemScreen(
    "screen", "phase", showing: ["GET /inbox": "letters"], initially: "idle", waitsFor: ["GET /inbox"])

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], stores: ["store"], requests: ["GET /inbox"],
    saving: .savedIsKept(
      on: "screen", "phase", showing: "letters", not: ["idle", "loading", "failed"], in: "disk"))

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(
        .noPartialState(on: "screen", "letters", of: .answers(to: "GET /inbox"), .answers(to: "read"))),
      SystemCheck(.screenMatchesDisk("screen", "disk", part: "letters")),
      SystemCheck(.noOrphanedWrite()),
      SystemCheck(.rightWhenAlone(isRight)),
      .settlesWithin,
    ]

  private nonisolated static func isRight(_ alone: LoneAction) throws(LoneAction.Flaw) {
    let shown = alone.changes["screen"] ?? []
    try alone.demand(shown.first?["phase"] == "loading", "the screen shows that it loads")
    // Nothing in a story takes as long as an inbox stays fresh; only the one from the beginning is old.
    let isOld = alone.before["disk"] == ["a: edition 0"]
    let reads = alone.successes("read")
    let asked = alone.count("GET /inbox")
    // Where the store can't be read, one that reads first does not ask.
    try alone.demand(
      asked == (isOld ? 1 : 0) || (alone.hadFailure && asked == 0), "an old inbox is asked for, and no other")
    let isLoaded = !alone.hadFailure
    try alone.demand(
      shown.last?["phase"] == (isLoaded ? "loaded" : "failed"),
      "it fails where something has failed, and only there")
    try alone.demand(
      reads.last != true || alone.after["screen"]?["letters"] == alone.after["disk"],
      "the screen shows what is saved")
    try alone.demand(
      !isLoaded || !isOld || alone.after["disk"] != alone.before["disk"], "what was asked for is saved")
  }

  nonisolated static let descriptor = SystemDescriptor(
    "inbox-refresh", "An inbox that shows what the store holds and is refreshed from the server.",
    variants: [
      .init(
        "naive", "Fills the list letter by letter, even while another refresh does.",
        diagnoses: [
          "no-partial-state": [.partOfResult, .mixedResults], "latest-wins": [.staleOverNewer],
          "cancel-is-not-failure": [.cancelAsFailure], "no-orphaned-write": [.writeAfterCancellation],
          // Two saves overlap, and the older one lands last.
          "screen-matches-disk": [.shownNotSaved, .savedNotShown, .outOfOrder],
        ], breaks: ["owners-apart", "asked-off-main", "saved-is-kept"]),
      .init(
        "published", "Shows what it reads back, but lets refreshes overlap and shows a cancel as a failure.",
        diagnoses: [
          "latest-wins": [.staleOverNewer], "cancel-is-not-failure": [.cancelAsFailure],
          "no-orphaned-write": [.writeAfterCancellation],
          "screen-matches-disk": [.shownNotSaved, .savedNotShown],
        ], breaks: ["owners-apart", "asked-off-main"]),
      .init("hardened", "A newer refresh cancels the older; the screen shows what the store holds."),
    ],
    actions: [.init("refresh", "The user pulls to refresh."), .relaunch],
    fakes: [
      .init(
        "network", "The mail server.",
        operations: [.init("GET /inbox", "Asks for all letters.", replies: ["ok", "offline"])]),
      .init(
        "store", "Where the inbox is kept on the device.",
        operations: [
          .init("read", "Reads the inbox.", faults: ["never", "before-commit"]),
          .init("write", "Saves the inbox.", faults: ["never", "before-commit", "after-commit"]),
        ]),
    ],
    settings: [.duration("staleAfter", "How old a saved inbox may be.", default: .minutes(10))],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "Articles on the boundary between network, persistence and screen: a main-actor model that "
        + "fetches, saves and shows. Their text asks the store first and the network only if that is "
        + "stale; their code does not.",
      sources: [
        "naive": ["NaiveInbox.swift"],
        "published": ["PublishedInbox.swift"],
        "hardened": ["HardenedInbox.swift"],
      ],
      guards: [
        "newer-cancels-older": "The older refresh would go on for nothing, and the app would settle late.",
        "cancel-reaches-refresh":
          "The refresh runs in a task of its own, which a cancel of the caller would not reach.",
        "cancel-is-not-failure": "A user who changes their mind would be told of an error that nobody had.",
        "show-what-is-saved":
          "In a cancelled task the read would fail, and the screen would not show what the store "
          + "holds.",
        "save-after-older": "Two saves would overlap, and the older letters could be saved last.",
        "no-save-when-cancelled": "A refresh that nobody wants any more would still write.",
      ]))

  private let model: any InboxModel
  private let store: FakeStore

  init(_ variant: String, in world: World) throws {
    let service = world.sessionNetwork()
    let saved = SavedInbox(letters: [Letter(id: "a", subject: "edition 0")], savedAt: .distantPast)
    store = world.store(holding: ["inbox": saved])
    switch variant {
    case "naive": model = NaiveInbox(service: service, store: store, clock: SystemClock())
    case "published": model = PublishedInbox(service: service, store: store, clock: SystemClock())
    case "hardened":
      let staleAfter = world.settings.duration("staleAfter")?.duration ?? .zero
      model = HardenedInbox(
        service: service, store: store, clock: SystemClock(), staleAfter: staleAfter / .seconds(1))
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "refresh": await model.refresh()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [model] in model.screen }, shown: \.shown),
      Observed(
        "disk", in: store, of: { $0.held("inbox", as: SavedInbox.self)?.letters ?? [] }, shown: \.shown),
    ]
  }
}
