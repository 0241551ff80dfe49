import Scenarios
import Simulator

/// A phrasebook that is brought up to date over a slow network while somebody looks a phrase up.
final class OneOwner: System {
  nonisolated static let screen = SystemScreen(
    "screen", initially: "empty", after: ["lookup"], waitsFor: ["read"])

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], stores: ["store"], requests: ["GET /phrases"],
    needs: ["lookup": ["read"], "update": ["GET /phrases", "transaction", "read"]])

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.readWithin(.zero), .duration, usual: .duration(.seconds(10))) { value in
        guard case .duration(let bound)? = value else { return nil }
        return .readWithin(bound.duration, "lookup")
      },
      SystemCheck(.latestWins("GET /phrases", on: "disk")),
      SystemCheck(.onlyAllowedErrors()),
      SystemCheck(.retryWorks()),
      SystemCheck(.rightWhenAlone(isRight)),
      .settlesWithin,
    ]

  private nonisolated static func isRight(_ alone: LoneAction) throws(LoneAction.Flaw) {
    try alone.demand(
      alone.returned != alone.hadFailure, "it fails where something has failed, and only there")
    guard alone.returned else { return }
    if alone.name == "lookup" {
      try alone.demand(
        alone.count("read") == 1 && alone.after["screen"] == alone.after["disk"], "what is saved is shown")
    } else {
      try alone.demand(alone.after["disk"] == alone.answer("GET /phrases"), "what has come is saved")
    }
  }

  nonisolated static let descriptor = SystemDescriptor(
    "one-owner", "A phrasebook on the device that is updated over a slow network.",
    variants: [
      .init(
        "naive", "Does everything in one queue: a lookup waits for the update.",
        diagnoses: ["read-within": [.answeredTooLate]], breaks: ["stalls-no-other"]),
      .init(
        "one-actor", "One plain actor for both: a lookup waits while it decodes, not while it awaits.",
        // Before it reads, or between the reading and the answer.
        diagnoses: ["read-within": [.closedTooLong, .answeredTooLate], "latest-wins": [.staleOverNewer]],
        breaks: ["owners-apart"]),
      .init("hardened", "Network and store each have an owner: a lookup waits for neither."),
    ],
    actions: [
      .init("update", "The app fetches the phrases and saves them."),
      .init("lookup", "The user looks a phrase up."),
      .relaunch,
    ],
    fakes: [
      .init(
        "network", "The server; what it spends is the decoding of its reply.",
        operations: [
          .init("GET /phrases", "Asks for all phrases.", replies: ["ok", "offline"], spends: .seconds(20))
        ]),
      .init(
        "store", "Where the phrases are kept on the device.",
        operations: [
          .init("read", "Reads a phrase.", faults: ["never", "before-commit"]),
          .init(
            "transaction", "Replaces all phrases.", faults: ["never", "before-commit", "after-commit"]),
        ]),
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "The advice to keep network and store behind one owner. Articles say that one actor for both "
        + "makes every read wait; a plain actor lets others in while it awaits, and closes only for its "
        + "own work.",
      sources: [
        "naive": ["NaivePhrasebook.swift"],
        "one-actor": ["ActorPhrasebook.swift"],
        "hardened": ["HardenedPhrasebook.swift"],
      ],
      guards: [
        "ask-the-disk": "An update that fails after its commit would be overwritten by an older one.",
        "owner-for-network":
          "The reply would be decoded on its caller's actor, and a read would wait for that.",
        "newest-edition": "An older edition that comes late would replace a newer one.",
        "one-save-at-a-time": "Two editions could be saved at once, and the older one last.",
      ]))

  private let model: PhraseModel
  private let store: FakeStore

  init(_ variant: String, in world: World) throws {
    let service = world.sessionNetwork()
    store = world.store(holding: ["hello": Phrase(id: "hello", text: "hello")])
    let phrasebook: any Phrasebook =
      switch variant {
      case "naive": NaivePhrasebook(service: service, store: store)
      case "one-actor": ActorPhrasebook(service: service, store: store)
      case "hardened": HardenedPhrasebook(service: service, store: store)
      default: throw UnknownName("variant", variant)
      }
    model = PhraseModel(phrasebook: phrasebook)
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "update": try await model.update()
    case "lookup": try await model.look(up: "hello")
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [model] in model.screen }, shown: \.shown),
      Observed("disk", in: store, of: { $0.held("hello", as: Phrase.self) }) { phrase in
        phrase.map { .text($0.text) } ?? .none
      },
    ]
  }
}
