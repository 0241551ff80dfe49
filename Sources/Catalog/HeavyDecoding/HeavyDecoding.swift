import Scenarios
import Simulator

/// A feed that takes long to decode, and a reader who scrolls meanwhile.
final class HeavyDecoding: System {
  nonisolated static let screen = SystemScreen(
    "screen", "phase", showing: ["GET /feed": "posts"], initially: "idle", after: ["load"],
    waitsFor: ["GET /feed", "decode"]
  ) { .list([$0]) }

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], requests: ["GET /feed"], hasWork: true)

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.rightWhenAlone(isRight)),
      .settlesWithin,
    ]

  private nonisolated static func isRight(_ alone: LoneAction) throws(LoneAction.Flaw) {
    guard alone.name == "load" else {
      guard case .int(let offset)? = alone.before["screen"]?["offset"] else { return }
      return try alone.demand(
        alone.after["screen"]?["offset"] == .int(offset + 1), "the feed is scrolled by one post")
    }
    let shown = alone.changes["screen"] ?? []
    try alone.demand(
      shown.map { $0["phase"] } == ["loading", alone.succeeded("decode") ? "loaded" : "failed"],
      "the screen shows that it loads, and then that it has loaded or failed")
    try alone.demand(
      !alone.succeeded("decode") || shown.last?["posts"] == alone.answer("decode"), "the posts are shown")
    try alone.demand(
      alone.hadFailure || alone.succeeded("decode"),
      "it fails where server or decoder has failed, and only there")
  }

  nonisolated static let descriptor = SystemDescriptor(
    "heavy-decoding", "A feed that takes long to decode, and a reader who scrolls.",
    variants: [
      .init(
        "naive", "Awaits the decoder on the main actor: the feed stands still while it decodes.",
        diagnoses: [
          "main-actor-responsive": [.closedTooLong], "latest-wins": [.staleOverNewer],
          "cancel-is-not-failure": [.cancelAsFailure],
        ], breaks: ["main-actor-responsive", "asked-off-main"]),
      .init(
        "published", "Decodes in a task that inherits the main actor: the feed stands still all the same.",
        diagnoses: [
          "main-actor-responsive": [.closedTooLong], "latest-wins": [.staleOverNewer],
          "cancel-is-not-failure": [.cancelAsFailure],
        ], breaks: ["main-actor-responsive", "asked-off-main"]),
      .init("hardened", "Decodes on the concurrent pool: the feed scrolls meanwhile."),
    ],
    actions: [
      .init("load", "The feed is loaded."),
      .init("scroll", "The reader scrolls."),
    ],
    fakes: [
      .init(
        "network", "The server.",
        operations: [.init("GET /feed", "Asks for the feed.", replies: ["ok", "offline"])]),
      .init(
        "decoder", "What makes posts of the reply; its work keeps its caller's actor closed.",
        operations: [
          .init(
            "decode", "Decodes the feed.", faults: ["never", "before-commit"],
            acceptedKeys: [.spend, .calls])
        ]),
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "The belief that `await` moves work elsewhere, and that a task started on the main actor "
        + "leaves it.",
      sources: [
        "naive": ["NaiveFeed.swift"],
        "published": ["PublishedFeed.swift"],
        "hardened": ["HardenedFeed.swift"],
      ],
      guards: [
        "off-the-main-actor":
          "The function would run where it is called: on the main actor, which draws nothing "
          + "meanwhile.",
        "latest-load": "An older edition would replace a newer one, or its failure would.",
        "cancel-is-not-failure": "A reader who leaves would see an error although nothing has failed.",
      ]))

  private let model: any FeedModel

  init(_ variant: String, in world: World) throws {
    let (service, decoder) = (world.sessionNetwork(), world.decoder())
    switch variant {
    case "naive": model = NaiveFeed(service: service, decoder: decoder)
    case "published": model = PublishedFeed(service: service, decoder: decoder)
    case "hardened": model = HardenedFeed(service: service, decoder: decoder)
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "load": await model.load()
    case "scroll": model.scroll()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [Observed("screen", of: { [model] in model.screen }, shown: \.shown)]
  }
}
