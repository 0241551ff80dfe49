import Scenarios
import Simulator

/// Two screens that show the same playlist and ask for it at the same time.
final class SameThingAtOnce: System {
  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen 1", "screen 2"], network: ["network"], stores: ["store"], requests: ["GET /playlist"])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.singleFlight("GET /playlist", "write")),
      SystemCheck(.everyAskerAnswered("show")),
      SystemCheck(.noOrphanedWrite()),
      SystemCheck(.latestWins("GET /playlist", on: "disk")),
      SystemCheck(.onlyAllowedErrors()),
      SystemCheck(.outcomeIsTrue(of: "show", by: "write", shared: true)),
      SystemCheck(.loadingEnds(on: "screen 1", "screen 2")),
      SystemCheck(.all([1, 2].map { .cancelIsNotFailure(on: "screen \($0)") })),
      SystemCheck(.retryWorks(of: "show")),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] {
    let reason = "There are two screens, and only those that have asked wait and fail."
    return [
      .init(.failureIsShown(of: "GET /playlist", on: "screen 1"), reason),
      .init(.waitIsShown(for: "GET /playlist", on: "screen 1"), reason),
      .init(.recoveryIsShown(of: "show", on: "screen 1", not: ["empty", "loading", "failed"]), reason),
    ]
  }

  nonisolated static let descriptor = SystemDescriptor(
    "same-thing-at-once", "Two screens that ask for the same playlist at once.",
    variants: [
      .init(
        "naive", "Sends a request for each caller.",
        diagnoses: ["single-flight": [.duplicateRequest], "no-orphaned-write": [.writeAfterCancellation]],
        breaks: ["owners-apart"]),
      .init(
        "published", "Shares the first asker's task, and its cancellation.",
        diagnoses: [
          "every-asker-answered": [.sharedCancellation], "no-orphaned-write": [.writeAfterCancellation],
        ], breaks: ["owners-apart"]),
      .init("hardened", "Shares a task that belongs to all who ask."),
    ],
    actions: [
      .init(
        "show", "A screen asks for the playlist.",
        arguments: [.integer("screen", "Which of the two.", in: 1...2)])
    ],
    fakes: [
      .init(
        "network", "The server.",
        operations: [.init("GET /playlist", "Asks for the playlist.", replies: ["ok", "offline"])]),
      .init(
        "store", "Where the playlist is kept on the device.",
        operations: [
          .init("write", "Saves the playlist.", faults: ["never", "before-commit", "after-commit"])
        ]),
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "Two models that ask one loader for the same thing; articles share the first asker's task "
        + "between them.",
      sources: [
        "naive": ["NaivePlaylistLoader.swift"],
        "published": ["PublishedPlaylistLoader.swift"],
        "hardened": ["HardenedPlaylistLoader.swift"],
      ],
      guards: [
        "owners-apart": "One actor would own the network and the store.",
        "one-save-at-a-time": "The save of a flight that was given up could land after that of the next one.",
        "asker-leaves-alone": "An asker who is cancelled would wait for the answer all the same.",
        "one-flight": "Each asker would send a request.",
        "no-flight-without-askers": "The request would go on although nobody waits for it.",
        "no-save-without-askers": "What nobody wants any more would still be saved.",
        "only-its-own-askers": "A flight that was given up would answer the askers of the next one.",
      ]))

  private let models: [PlaylistModel]
  private let store: FakeStore

  init(_ variant: String, in world: World) throws {
    let service = world.sessionNetwork()
    store = world.store()
    let source: any PlaylistSource =
      switch variant {
      case "naive": NaivePlaylistLoader(service: service, store: store)
      case "published": PublishedPlaylistLoader(service: service, store: store)
      case "hardened": HardenedPlaylistLoader(service: service, store: store)
      default: throw UnknownName("variant", variant)
      }
    models = (1...2).map { _ in PlaylistModel(source: source) }
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.integer("screen")) {
    case ("show", let screen?): try await models[screen - 1].load()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    models.enumerated().map { number, model in
      Observed("screen \(number + 1)", of: { model.screen }, shown: \.shown)
    } + [
      Observed("disk", in: store, of: { $0.held("playlist", as: Playlist.self) }) { $0?.shown ?? .none }
    ]
  }
}
