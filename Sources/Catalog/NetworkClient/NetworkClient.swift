import Scenarios
import Simulator

/// Two screens of a news app that share one client.
final class NetworkClient: System {
  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen 1", "screen 2"], network: ["network", "tokens"], requests: ["GET /articles"])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.cancellableWhileInFlight("GET /articles")),
      SystemCheck(.singleFlight("GET /articles")),
      SystemCheck(
        .noStaleCache(in: "screen 1", "screen 2", "cache", of: "GET /articles", after: "sign-out")),
      SystemCheck(
        .all(
          [1, 2].map {
            .latestChoiceWins(
              of: "load", where: ["screen": .int($0)], by: "topic", answeredBy: "GET /articles",
              on: "screen \($0)",
              until: "sign-out")
          })),
      SystemCheck(.onlyAllowedErrors(allowing: ["Refused"])),
      SystemCheck(.rightWhenAlone(isRight)),
      .settlesWithin,
    ]

  private nonisolated static func isRight(_ alone: LoneAction) throws(LoneAction.Flaw) {
    let held = alone.after["cache"] ?? .none
    switch alone.name {
    case "stop": try alone.demand(alone.changes.isEmpty, "nothing changes where nothing is loaded")
    case "sign-out":
      try alone.demand(
        ["cache", "screen 1", "screen 2"].allSatisfy { alone.after[$0] == Trace.Value.none },
        "nothing is left")
    default:
      let topics = alone.details("GET /articles")
      try alone.demand(
        topics.allSatisfy { alone.before["cache"]?[$0.description] == nil },
        "what is in the cache is not asked for")
      let answer = alone.answer("GET /articles") ?? "unavailable"
      let hasAnswer = alone.count("refresh") == 0 || answer != "unavailable"
      try alone.demand(
        alone.returned == hasAnswer, "it returns where an answer has come or is known, and only there")
      guard alone.returned else { return }
      let isShown = ["news", "sport"].contains { topic in
        held[topic] != nil && ["screen 1", "screen 2"].contains { alone.after[$0] == held[topic] }
      }
      try alone.demand(isShown, "the answer is shown and kept")
    }
  }

  nonisolated static let descriptor = SystemDescriptor(
    "network-client", "A client with a cache, retries and a rate limit that two screens share.",
    variants: [
      .init(
        "naive", "Sends a request for each caller, and cancels by leaving a note.",
        diagnoses: [
          "cancellable-while-in-flight": [.outlivedOwner],
          "single-flight": [.duplicateRequest, .checkThenAct],
          "no-stale-cache": [.staleCache], "settles-within": [.settledTooLate],
        ]),
      .init(
        "published", "Keeps each task under its request's id, and removes it in a task of its own.",
        diagnoses: [
          "cancellation-reaches-transport": [.outlivedOwner],
          "cancellable-while-in-flight": [.outlivedOwner],
          "single-flight": [.duplicateRequest, .checkThenAct],
          "no-stale-cache": [.staleCache], "settles-within": [.settledTooLate],
        ], breaks: ["cancellation-reaches-transport"]),
      .init("hardened", "One flight for all who ask, which ends with them and with the session."),
    ],
    actions: [
      .init(
        "load", "A screen asks for a topic.",
        arguments: [
          .integer("screen", "Which of the two.", in: 1...2),
          .string("topic", "Of what.", default: "news", among: ["sport"]),
        ]),
      .init(
        "stop", "The user stops loading a topic, on both screens.",
        arguments: [.string("topic", "Of what.", default: "news", among: ["sport"])]),
      .init("sign-out", "The user signs out, and somebody else signs in."),
    ],
    fakes: [
      .init(
        "network", "The news server.",
        operations: [
          .init("GET /articles", "Asks for a topic.", replies: ["ok", "offline", "unavailable"])
        ]),
      .init(
        "tokens", "Where the client gets a token for each request.",
        operations: [.init("refresh", "Asks for a token.", replies: ["ok", "offline"])]),
    ],
    settings: [
      .duration("spacing", "How far the rate limit keeps requests apart.", default: .milliseconds(50))
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "A network client as articles build it: an actor with a registry of tasks by request, tokens, "
        + "retries, a rate limit and a cache.",
      sources: [
        "naive": ["NaiveArticlesClient.swift"],
        "published": ["PublishedArticlesClient.swift"],
        "hardened": ["HardenedArticlesClient.swift"],
      ],
      guards: [
        "cancel-reaches-flight":
          "The flight is a task of its own: a cancelled caller would neither leave nor end it.",
        "cache-ends-with-session": "The next user would read what the last one had fetched.",
        "flights-end-with-session": "A reply to the last session would fill the cache of the next.",
        "one-flight": "The same request would be sent twice at once.",
        "no-flight-without-askers": "The request would go on when the last of its askers has left.",
        "given-up-is-cancelled": "The registry would forget the request, and the wire would not.",
        "only-its-own-flight": "An old flight that ends late would remove the newer one of the same name.",
      ]))

  private let client: any ArticlesClient
  private let models: [ArticlesModel]
  private let world: World

  init(_ variant: String, in world: World) throws {
    self.world = world
    let spacing = world.settings.duration("spacing")?.duration ?? .zero
    let pipeline = RequestPipeline(
      transport: world.sessionNetwork(), tokens: world.tokens(lifetime: .seconds(3_600)),
      limit: RateLimit(spacing: spacing))
    let client: any ArticlesClient =
      switch variant {
      case "naive": NaiveArticlesClient(pipeline: pipeline)
      case "published": PublishedArticlesClient(pipeline: pipeline)
      case "hardened": HardenedArticlesClient(pipeline: pipeline)
      default: throw UnknownName("variant", variant)
      }
    self.client = client
    models = (1...2).map { _ in ArticlesModel(client: client) }
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.integer("screen"), action.string("topic")) {
    case ("load", let screen?, let topic?): try await models[screen - 1].load(topic)
    case ("stop", _, let topic?):
      await client.cancel(requestID: topic)
      world.dismissed(topic)
    case ("sign-out", _, _):
      await client.signOut()
      for model in models { model.signedOut() }
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    models.enumerated().map { number, model in
      Observed("screen \(number + 1)", of: { model.articles }) { $0.map { .text($0) } ?? .none }
    } + [
      Observed("cache", of: { [client] in client.cacheBetweenSteps }) { cache in
        cache.isEmpty
          ? .none : .record(cache.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.shown) })
      }
    ]
  }
}

extension ArticlesClient {
  fileprivate nonisolated var cacheBetweenSteps: [String: ArticlesResponse] { assumeIsolated { $0.cache } }
}
