import Scenarios
import Simulator

/// A start screen that needs two independent answers.
final class SerialAgainstParallel: System {
  nonisolated static let screen = SystemScreen(
    "screen", initially: "empty", waitsFor: ["GET /weather", "GET /appointments"])

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], requests: ["GET /weather", "GET /appointments"])

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.returnsWhenDone("load")),
      .settlesWithin(usually: .seconds(10)),
    ]

  nonisolated static let descriptor = SystemDescriptor(
    "serial-against-parallel", "A start screen with a forecast and appointments, from two requests.",
    variants: [
      .init(
        "naive", "Asks for one after the other: the user waits for the sum.",
        diagnoses: ["settles-within": [.settledTooLate]], breaks: ["asked-off-main"]),
      .init("hardened", "Asks for both at once: the user waits for the slower one."),
    ],
    actions: [.init("load", "The screen appears.")],
    fakes: [
      .init(
        "network", "The servers.",
        operations: [
          .init("GET /weather", "Asks for the forecast.", replies: ["ok", "offline"]),
          .init("GET /appointments", "Asks for the appointments.", replies: ["ok", "offline"]),
        ])
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "Two requests that do not need each other, awaited one after the other.",
      sources: [
        "naive": ["NaiveToday.swift"],
        "hardened": ["HardenedToday.swift"],
      ],
      guards: [
        "parallel": "The user would wait for the sum of both."
      ]))

  private let model: any TodayModel

  init(_ variant: String, in world: World) throws {
    switch variant {
    case "naive": model = NaiveToday(service: world.sessionNetwork())
    case "hardened": model = HardenedToday(service: world.sessionNetwork())
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
    [Observed("screen", of: { [model] in model.screen }, shown: \.shown)]
  }
}
