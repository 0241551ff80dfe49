import Scenarios
import Simulator

/// An article that is asked for through view, model, client and transport, on a screen that goes away.
final class EveryLayer: System {
  nonisolated static let screen = SystemScreen(
    "screen", showing: ["GET /article": nil], initially: "empty", after: ["read"], waitsFor: ["GET /article"])

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], requests: ["GET /article"])

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.cancellableWhileInFlight("GET /article")),
      SystemCheck(.finishedIsForgotten(in: "requests")),
      SystemCheck(
        .rightWhenAlone { alone throws(LoneAction.Flaw) in
          guard alone.name == "read" else { return }
          let wait: [Trace.Value] = alone.before["screen"] == "loading" ? [] : ["loading"]
          try alone.demand(
            alone.changes["screen"] == wait + [alone.answer("GET /article") ?? "failed"],
            "the screen shows that it loads, and then the answer or the failure")
        }),
      .settlesWithin,
    ]

  private nonisolated static let diagnoses: [String: Set<Invariant.Diagnosis>] = [
    "cancellation-reaches-transport": [.outlivedOwner], "settles-within": [.settledTooLate],
  ]

  nonisolated static let descriptor = SystemDescriptor(
    "every-layer", "An article that loads through four layers, on a screen that the reader leaves.",
    variants: [
      .init(
        "naive-view", "The view loads in a task that goes on when it is gone.", diagnoses: diagnoses,
        breaks: ["cancellation-reaches-transport"]),
      .init(
        "naive-model", "The model loads in a task that no view's cancel reaches.", diagnoses: diagnoses,
        breaks: ["cancellation-reaches-transport"]),
      .init(
        "naive-client", "The client asks in a task that no asker's cancel reaches.", diagnoses: diagnoses,
        breaks: ["cancellation-reaches-transport"]),
      .init(
        "naive-transport", "The transport sends from a detached task, out of reach.", diagnoses: diagnoses,
        breaks: ["cancellation-reaches-transport"]),
      .init("hardened", "Each layer hands the cancel on: the reader leaves, and the request ends."),
    ],
    actions: [
      .init("read", "The screen appears, and loads in a task that ends with it."),
      .init("log-out", "The reader logs out."),
    ],
    fakes: [
      .init(
        "network", "The server.",
        operations: [.init("GET /article", "Asks for the article.", replies: ["ok", "offline"])])
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "A cancel on its way from the view to the wire, and the four layers in which it can get lost.",
      sources: [
        "naive-view": ["NaiveArticle.swift"],
        "naive-model": ["NaiveArticle.swift"],
        "naive-client": ["NaiveArticle.swift"],
        "naive-transport": ["NaiveArticle.swift"],
        "hardened": ["HardenedArticle.swift"],
      ],
      guards: [
        "view-task-is-structured": "The view's cancel would end its wait, and not the load.",
        "model-hands-on-cancel": "The model's task would go on for a view that is gone.",
        "client-hands-on-cancel": "The client's request would go on for an asker who has left.",
        "transport-task-is-structured": "A detached task knows of no cancel.",
      ]))

  private let view: any ArticleView
  private let model: any ArticleModel
  private let client: any ArticleClient
  private let world: World

  init(_ variant: String, in world: World) throws {
    guard Self.descriptor.variants.contains(where: { $0.name == variant }) else {
      throw UnknownName("variant", variant)
    }
    self.world = world
    let connection = world.sessionNetwork()
    let transport: any ArticleTransport =
      variant == "naive-transport"
      ? NaiveArticleTransport(connection: connection) : HardenedArticleTransport(connection: connection)
    client =
      variant == "naive-client"
      ? NaiveArticleClient(transport: transport) : HardenedArticleClient(transport: transport)
    model =
      variant == "naive-model" ? NaiveArticleModel(client: client) : HardenedArticleModel(client: client)
    view = variant == "naive-view" ? NaiveArticleView(model: model) : HardenedArticleView(model: model)
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "read": await view.task()
    case "log-out":
      await client.cancelAll()
      world.dismissed("article")
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [model] in model.screen }, shown: \.shown),
      Observed("requests", of: { [client] in client.countBetweenSteps }) { .int($0) },
    ]
  }
}

extension ArticleClient {
  fileprivate nonisolated var countBetweenSteps: Int { assumeIsolated { $0.requestsUnderWay } }
}
