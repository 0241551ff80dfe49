import Scenarios
import Simulator

/// A launch screen that waits for two callbacks and goes on when both have come.
final class TwoInParallel: System {
  nonisolated static let screen = SystemScreen(
    "screen", initially: "launching", waiting: "launching", after: ["launch"], waitsFor: ["member", "feed"],
    unless: ["skip-feed"],
    except: [
      .cancelIsNotFailure: "Who skips the feed ends the launch, because both are needed.",
      .waitIsShown: "The first failure is the result, and the other request is not awaited.",
      .loadingEnds: "The launch screen is there before anything is launched.",
      .recoveryIsShown: "An app is launched once, and the launch screen has no button to try again.",
    ])

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["callbacks"], requests: ["member", "feed"],
    except: [
      .cancellationReachesTransport: "A request ends with its screen, and not with the tap that began it.",
      .askedOffMain:
        "A request with a callback begins where the user taps: nothing is built or decoded there.",
    ])

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.exactlyOnce(counting: "continuations")),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] { screen.exceptions + boundaries.exceptions }

  nonisolated static let descriptor = SystemDescriptor(
    "two-in-parallel", "Two requests with callbacks, side by side; the app goes on when both have succeeded.",
    variants: [
      .init(
        "naive", "Copies what has come out of a box, adds to it, and copies it back.",
        diagnoses: ["exactly-once": [.completedTwice, .neverAnswered]]),
      .init("hardened", "Takes in each result and draws the conclusion in one step."),
    ],
    actions: [
      .init("launch", "The app is launched, unless it has been."),
      .init("skip-feed", "The user does not want to wait for the feed."),
    ],
    fakes: [
      .init(
        "callbacks", "The server, and the queue that it calls back on.",
        operations: [
          .init("member", "Asks who has signed in.", replies: ["ok", "offline"]),
          .init("feed", "Asks what is new.", replies: ["ok", "offline"]),
        ])
    ],
    settings: [
      .string(
        "queue", "How callbacks run: serial, concurrent or suspended.", default: "concurrent",
        among: ["concurrent", "serial"]),
      .string(
        "afterCancel", "What a cancelled request does: calls-back or silent.", default: "calls-back",
        among: ["silent"]),
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "Two requests whose results are needed together, collected through callbacks.",
      sources: [
        "naive": ["NaiveHomeLoader.swift"],
        "hardened": ["HardenedHomeLoader.swift"],
      ],
      guards: [
        "refuse-suspended-queue": "On a suspended queue no callback would ever come.",
        "cancel-is-a-result":
          "A service that does not call back for a cancel would leave the caller without an answer.",
        "at-most-once": "What comes after the result would be a second one.",
      ]))

  private let model: LaunchModel
  private var hasLaunched = false

  init(_ variant: String, in world: World) throws {
    let service = try world.callbackQueue(
      "callbacks", world.settings.queueKind("queue"), afterCancel: world.settings.afterCancel("afterCancel"))
    let loader: any HomeLoader =
      switch variant {
      case "naive": NaiveHomeLoader(service: service)
      case "hardened": HardenedHomeLoader(service: service)
      default: throw UnknownName("variant", variant)
      }
    model = LaunchModel(loader: loader)
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "launch" where hasLaunched: break
    case "launch":
      hasLaunched = true
      model.launch()
    case "skip-feed": model.skipFeed()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [model] in model.screen }, shown: \.shown),
      Observed("continuations", of: { [self] in hasLaunched ? model.continuations : nil }) {
        $0.map { [.int($0)] } ?? []
      },
    ]
  }
}
