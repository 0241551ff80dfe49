import Scenarios
import Simulator

/// A heart that is tapped twice, on a network on which the first tap may arrive last.
final class TwoRequestsRace: System {
  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], requests: ["PUT /like"],
    except: [.cancellationReachesTransport: "A tap that was sent is seen through: the server may have it."])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.latestWins("PUT /like", on: "screen", alsoOn: "server")),
      SystemCheck(.screenMatchesDisk("screen", "server")),
      SystemCheck(
        .rightWhenAlone { alone throws(LoneAction.Flaw) in
          try alone.demand(!alone.isFirst || alone.before["screen"] == false, "at first nothing is liked")
          let isLost = alone.errors("PUT /like").first == "\(FakeNetwork.Failure.connectionLost)"
          try alone.demand(
            alone.count("PUT /like") == 1 || isLost, "a tap is sent once, unless its answer was lost")
          try alone.demand(
            alone.changes["screen"]?.first.map { $0 != alone.before["screen"] } ?? false,
            "a tap turns the heart at once")
          try alone.demand(
            alone.succeeded("PUT /like") == (alone.after["screen"] != alone.before["screen"]),
            "the heart stays turned where the server has noted it, and only there")
        }),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] { boundaries.exceptions }

  nonisolated static let descriptor = SystemDescriptor(
    "two-requests-race", "A heart beside a photo, tapped and tapped again.",
    variants: [
      .init(
        "naive", "Sends every tap and shows whatever is answered.",
        diagnoses: [
          "latest-wins": [.staleOverNewer], "screen-matches-disk": [.outOfOrder, .shownNotSaved],
        ], breaks: ["asked-off-main"]),
      .init(
        "published", "Shows the answer to the last tap; the server may keep the one before.",
        diagnoses: [
          "latest-wins": [.staleOverNewer], "screen-matches-disk": [.outOfOrder, .shownNotSaved],
        ], breaks: ["asked-off-main"]),
      .init(
        "hardened",
        "Sends the next tap when the server has the one before, and again one whose answer was lost."),
    ],
    actions: [.init("toggle", "The user taps the heart.")],
    fakes: [
      .init(
        "network", "The way to the server, and back.",
        operations: [.init("PUT /like", "Tells the server.", replies: ["ok", "offline"])])
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "A heart that is tapped twice: articles let the last answer win on the screen, and the server "
        + "keeps the older tap.",
      sources: [
        "naive": ["NaiveLike.swift"],
        "published": ["PublishedLike.swift"],
        "hardened": ["HardenedLike.swift"],
      ],
      guards: [
        "off-the-main-actor": "The request would be made, and its answer taken in, on the main actor's time.",
        "one-at-a-time": "The server could have the taps in the other order.",
        "show-what-is-confirmed": "After a failure the heart would show what the server does not have.",
        "ask-again": "After a lost answer the heart would not show what the server has.",
      ]))

  private let model: any LikeModel
  private let server: FakeLikeServer

  init(_ variant: String, in world: World) throws {
    server = FakeLikeServer(network: world.sessionNetwork())
    switch variant {
    case "naive": model = NaiveLike(service: server)
    case "published": model = PublishedLike(service: server)
    case "hardened": model = HardenedLike(service: server)
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "toggle": model.toggle()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [model] in model.isLiked }) { .bool($0) },
      Observed("server", of: { [server] in server.isLiked }) { .bool($0) },
    ]
  }
}
