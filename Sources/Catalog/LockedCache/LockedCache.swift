import Scenarios
import Simulator

/// Exchange rates, in a cache that is a class behind a lock, or an actor that owns a class.
final class LockedCache: System {
  nonisolated static let boundaries = SystemBoundaries(
    network: ["server"])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.singleFlight("GET /rate")),
      SystemCheck(.everyAskerAnswered("show")),
      SystemCheck(.askedOnce("GET /rate")),
      SystemCheck(
        .rightWhenAlone { alone throws(LoneAction.Flaw) in
          try alone.demand(
            alone.returned != alone.hadFailure, "it fails where the bank has failed, and only there")
        }),
      SystemCheck(.onlyAllowedErrors()),
      SystemCheck(.retryWorks()),
      SystemCheck(.outcomeIsTrue(of: "show", by: "GET /rate", shared: true)),
      .settlesWithin,
    ]

  nonisolated static let descriptor = SystemDescriptor(
    "locked-cache",
    "Exchange rates from URLSession, cached in a class behind a lock or in an actor that owns one.",
    variants: [
      .init(
        "naive", "A class that locks each access, but not the look and the load together.",
        diagnoses: ["single-flight": [.duplicateRequest, .checkThenAct]]),
      .init("hardened", "A class in which whoever finds a load under way joins it, under the same lock."),
      .init(
        "actor-naive", "An actor that owns its table, and is left between the look and the load.",
        diagnoses: ["single-flight": [.duplicateRequest, .checkThenAct]]),
      .init("actor", "An actor that owns its table and the loads under way."),
    ],
    actions: [
      .init(
        "show", "A row asks for its rate.",
        arguments: [.string("currency", "Which.", default: "CHF", among: ["JPY"])])
    ],
    fakes: [
      .init(
        "server", "The bank.",
        operations: [.init("GET /rate", "Asks for a rate.", replies: ["ok", "offline"])])
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "A warning against a dictionary that several owners share, even behind locks: to read, to "
        + "decide and to write are three steps.",
      sources: [
        "naive": ["NaiveRateCache.swift"],
        "hardened": ["HardenedRateCache.swift"],
        "actor-naive": ["NaiveRateActor.swift"],
        "actor": ["HardenedRateActor.swift"],
      ],
      guards: [
        "joins-the-load": "A second caller would load again what is being loaded.",
        "joins-under-one-lock":
          "Between the look and the note another caller could look, and both would load.",
        "a-failure-is-forgotten":
          "After one failure every later caller would wait for a load that has ended.",
        "everybody-is-told": "All but the first would wait for ever.",
      ]))

  private let model: RatesModel

  init(_ variant: String, in world: World) throws {
    world.webServer { $0.price }
    let service = RateService()
    let cache: any RateCache =
      switch variant {
      case "naive": NaiveRateCache(service: service)
      case "hardened": HardenedRateCache(service: service)
      case "actor-naive": NaiveRateActor(service: service)
      case "actor": HardenedRateActor(service: service)
      default: throw UnknownName("variant", variant)
      }
    model = RatesModel(cache: cache)
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.string("currency")) {
    case ("show", let currency?): try await model.show(currency)
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] { [] }
}
