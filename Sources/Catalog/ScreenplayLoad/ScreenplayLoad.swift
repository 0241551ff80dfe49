import Scenarios
import Simulator

/// A screenplay that is fetched in three parts, parsed and saved, all in one task of a screen that the actor
/// leaves.
final class ScreenplayLoad: System {
  nonisolated static let screen = SystemScreen(
    "screen", initially: "idle", waitsFor: ["GET /title", "GET /scenes", "GET /cast", "transaction"])

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], stores: ["store"],
    requests: ["GET /title", "GET /scenes", "GET /cast"], hasWork: true,
    saving: .savedIsKept(on: "screen", not: ["idle", "loading", "failed"], of: "server", in: "disk"))

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.allOrNothing(on: "disk", of: .observed("server"))),
      SystemCheck(.noOrphanedWrite()),
      SystemCheck(.successIsTrue(on: "screen", not: ["idle", "loading", "failed"], by: "transaction")),
      SystemCheck(.returnsWhenDone("load")),
      .settlesWithin,
    ]

  nonisolated static let descriptor = SystemDescriptor(
    "screenplay-load", "Three calls, two parses and one write in one task of a screen that is left.",
    variants: [
      .init(
        "naive", "Leaves empty what does not come, and saves the rest: a cancel empties the screenplay.",
        diagnoses: [
          "all-or-nothing": [.writtenInPart], "no-orphaned-write": [.writeAfterCancellation],
          "cancel-is-not-failure": [.cancelAsFailure], "main-actor-responsive": [.closedTooLong],
        ], breaks: ["main-actor-responsive", "owners-apart", "asked-off-main", "saved-is-kept"]),
      .init(
        "published", "Lets every error through: what is cancelled while it is parsed is saved all the same.",
        diagnoses: [
          "no-orphaned-write": [.writeAfterCancellation], "cancel-is-not-failure": [.cancelAsFailure],
          "main-actor-responsive": [.closedTooLong],
        ], breaks: ["main-actor-responsive", "owners-apart", "asked-off-main"]),
      .init("hardened", "Parses off the main actor, and asks before the write whether it is wanted."),
    ],
    actions: [.init("load", "The screen appears, and loads in a task that ends with it.")],
    fakes: [
      .init(
        "network", "The server.",
        operations: ["title", "scenes", "cast"].map {
          .init("GET /\($0)", "Asks for the \($0).", replies: ["ok", "offline"])
        }),
      .init(
        "decoder", "What makes lines of a reply; its work keeps its caller's actor closed.",
        operations: [.init("parse", "Parses a reply.", acceptedKeys: [.spend, .calls])]),
      .init(
        "store", "Where the screenplay is kept on the device.",
        operations: [
          .init(
            "transaction", "Saves the screenplay.", faults: ["never", "before-commit", "after-commit"])
        ]),
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "Three calls, two parses and one write in one task of a view, which may be cancelled "
        + "half-way.",
      sources: [
        "naive": ["NaiveRehearsal.swift"],
        "published": ["PublishedRehearsal.swift"],
        "hardened": ["HardenedRehearsal.swift"],
      ],
      guards: [
        "off-the-main-actor": "The screenplay would be saved on the main actor's time.",
        "no-save-when-cancelled": "A parser does not notice a cancel: what it returns would still be saved.",
        "cancel-is-not-failure": "The user who leaves would be shown an error.",
        "parse-off-the-main-actor": "The screen would stand still while the scenes are parsed.",
      ]))

  private let model: any RehearsalModel
  private let store: FakeStore

  init(_ variant: String, in world: World) throws {
    let (service, parser) = (world.sessionNetwork(), world.decoder())
    store = world.store(holding: ["screenplay": Screenplay.firstDraft])
    switch variant {
    case "naive": model = NaiveRehearsal(service: service, parser: parser, store: store)
    case "published": model = PublishedRehearsal(service: service, parser: parser, store: store)
    case "hardened": model = HardenedRehearsal(service: service, parser: parser, store: store)
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "load": await model.load()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [model] in model.screen }) { .text($0.rawValue) },
      Observed("server", of: { Screenplay.secondDraft }, shown: \.shown),
      Observed("disk", in: store, of: { $0.held("screenplay", as: Screenplay.self) }) { screenplay in
        screenplay?.shown ?? .none
      },
    ]
  }
}
