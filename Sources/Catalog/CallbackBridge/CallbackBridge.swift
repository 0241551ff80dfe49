import Scenarios
import Simulator

/// Headphones that connect and call back, behind an async function that can be cancelled.
///
/// The variants that break use unsafe continuations, as people do whom a checked one has crashed: its trap
/// would end the search with the process. And they wait for no value, which a second resume would write over
/// the memory of a task that has gone on.
final class CallbackBridge: System {
  nonisolated static let screen = SystemScreen(
    "screen", initially: "disconnected", waiting: "connecting", after: ["connect"], waitsFor: ["connect"])

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["callbacks"], requests: ["connect"])

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.exactlyOnce("connect")),
      SystemCheck(.onlyAllowedErrors()),
      SystemCheck(.outcomeIsTrue(of: "connect", by: "connect")),
      SystemCheck(
        .rightWhenAlone { alone throws(LoneAction.Flaw) in
          try alone.demand(
            alone.returned != alone.hadFailure, "it fails where the radio has failed, and only there")
          try alone.demand(
            alone.changes["screen"] == ["connecting", alone.returned ? "connected" : "failed"],
            "the screen shows that it connects, and then the outcome")
        }),
      .settlesWithin,
    ]

  nonisolated static let descriptor = SystemDescriptor(
    "callback-bridge", "Headphones that connect and call back, awaited by a screen that the user may leave.",
    variants: [
      .init(
        "naive", "Resumes for the callback and for the cancel.",
        diagnoses: [
          "exactly-once": [.completedTwice], "continuation-resumed-twice": [.completedTwice],
        ]),
      .init(
        "published", "Passes the cancel on and waits for a callback that may never come.",
        diagnoses: ["exactly-once": [.neverAnswered], "nothing-outlives": [.outlivedExecution]],
        breaks: ["nothing-outlives"]),
      .init("hardened", "Whoever comes first takes the continuation out and resumes it."),
    ],
    actions: [.init("connect", "The user connects their headphones.")],
    fakes: [
      .init(
        "callbacks", "The radio, and the queue that it calls back on.",
        operations: [.init("connect", "Connects.", replies: ["ok", "offline"])])
    ],
    settings: [
      .string(
        "queue", "How callbacks run: serial, concurrent or suspended.", default: "serial",
        among: ["concurrent", "serial"]),
      .string(
        "afterCancel", "What a cancelled attempt does: calls-back or silent.", default: "calls-back",
        among: ["silent"]),
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "A callback API that is bridged to async functions by a continuation.",
      sources: [
        "naive": ["NaiveHeadphonesConnector.swift"],
        "published": ["PublishedHeadphonesConnector.swift"],
        "hardened": ["HardenedHeadphonesConnector.swift"],
      ],
      guards: [
        "cancel-reaches-attempt": "A cancelled caller would wait for a callback that may never come.",
        "attempt-is-cancelled": "The radio would go on trying.",
        "cancel-resumes": "A radio that does not call back for a cancel would leave its caller suspended.",
        "take-out": "Callback and cancel would both resume the same continuation.",
      ]))

  private let model: HeadphonesModel

  init(_ variant: String, in world: World) throws {
    let radio = try world.callbackQueue(
      "callbacks", world.settings.queueKind("queue"), afterCancel: world.settings.afterCancel("afterCancel"))
    let connector: any HeadphonesConnector =
      switch variant {
      case "naive": NaiveHeadphonesConnector(radio: radio)
      case "published": PublishedHeadphonesConnector(radio: radio)
      case "hardened": HardenedHeadphonesConnector(radio: radio)
      default: throw UnknownName("variant", variant)
      }
    model = HeadphonesModel(connector: connector)
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "connect": try await model.connect()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [Observed("screen", of: { [model] in model.screen }) { .text($0.rawValue) }]
  }
}
