import Scenarios
import Simulator

/// Regions of a map that are fetched for offline use; the user stops one, and leaves while another is on its
/// way.
final class EffectsInFlight: System {
  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], requests: ["GET /region"],
    except: [
      .cancellationReachesTransport: "A request ends with its screen, and not with the tap that began it."
    ])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.freed("executor", by: "map", within: .seconds(1))),
      SystemCheck(.endsWithOwner("GET /region", by: "map")),
      SystemCheck(.cancellableWhileInFlight("GET /region")),
      .responsiveWithin("fetch", on: "screen"),
      SystemCheck(.singleFlight("GET /region")),
      SystemCheck(.all(["alps", "jura"].map { .loadingEnds(on: "screen", part: $0) })),
      SystemCheck(.all(["alps", "jura"].map { .cancelIsNotFailure(on: "screen", $0) })),
      SystemCheck(
        .rightWhenAlone { alone throws(LoneAction.Flaw) in
          let changed = ["alps", "jura"].filter { alone.before["screen"]?[$0] != alone.after["screen"]?[$0] }
          try alone.demand(changed.count <= 1, "only one region is concerned")
          let (asked, region) = (alone.count("GET /region") > 0, alone.details("GET /region").first)
          try alone.demand(
            asked || alone.name != "fetch" || alone.before["executor"] != "alive",
            "a region is fetched as often as the user wants it")
          guard alone.name == "fetch", asked, let region, let fetched = alone.successes("GET /region").first
          else { return try alone.demand(!asked, "only the user's wish makes the app fetch a region") }
          try alone.demand(
            alone.after["screen"]?["\(region)"] == (fetched ? "ready" : "failed"),
            "a region that has come is ready, and another has failed")
        }),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] {
    let reason = "Each region has a status, and only that which is fetched waits and fails."
    return [
      .init(.failureIsShown(of: "GET /region", on: "screen", "alps"), reason),
      .init(.waitIsShown(for: "GET /region", on: "screen", "alps"), reason),
      .init(
        .recoveryIsShown(of: "fetch", on: "screen", "alps", not: ["absent", "loading", "failed"]), reason),
    ] + boundaries.exceptions
  }

  nonisolated static let descriptor = SystemDescriptor(
    "effects-in-flight", "Regions of a map are fetched by an executor that can cancel what it runs.",
    variants: [
      .init(
        "naive", "Fire and forget: a region that was stopped is fetched all the same.",
        diagnoses: [
          "single-flight": [.duplicateRequest], "nothing-outlives": [.outlivedExecution],
          "settles-within": [.settledTooLate],
        ], breaks: ["nothing-outlives"]),
      .init(
        "published", "Its loop retains it: the app goes on fetching when the map is closed.",
        diagnoses: [
          "freed": [.outlivedOwner], "nothing-outlives": [.outlivedExecution],
          "settles-within": [.settledTooLate],
        ], breaks: ["nothing-outlives"]),
      .init("hardened", "No task retains it: everything stops on request and when the user leaves."),
    ],
    actions: [
      .init(
        "fetch", "The user wants a region.",
        arguments: [.string("region", "Which.", among: ["alps", "jura"])]),
      .init(
        "stop", "The user no longer wants it.",
        arguments: [.string("region", "Which.", among: ["alps", "jura"])]),
      .init("leave", "The screen goes away."),
    ],
    fakes: [
      .init(
        "network", "The map's server.",
        operations: [.init("GET /region", "Fetches a region.", replies: ["ok", "offline"])])
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "The executor of effects from the same articles, which cancels on request and ends with its "
        + "owner; there its loop retains it.",
      sources: [
        "naive": ["NaiveRegionExecutor.swift"],
        "published": ["PublishedRegionExecutor.swift"],
        "hardened": ["HardenedRegionExecutor.swift"],
      ],
      guards: [
        "cancelled-with-executor": "The effects would outlive their executor.",
        "not-twice": "The same region would be fetched twice at once.",
        "not-retained": "The running task would keep the executor alive.",
        "forgets-what-finished": "A region that was fetched once could never be fetched again.",
        "cancelled-on-request": "A region that was stopped would be fetched all the same.",
        "only-its-own": "An effect that ends late would remove the record of the newer one.",
      ]))

  private let model: RegionModel
  private weak var executor: (any RegionExecutor)?
  private let world: World

  init(_ variant: String, in world: World) throws {
    self.world = world
    let executor: any RegionExecutor =
      switch variant {
      case "naive": NaiveRegionExecutor()
      case "published": PublishedRegionExecutor()
      case "hardened": HardenedRegionExecutor()
      default: throw UnknownName("variant", variant)
      }
    self.executor = executor
    model = RegionModel(executor: executor, service: world.sessionNetwork())
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.string("region")) {
    case ("fetch", let region?): model.fetch(region)
    case ("stop", let region?):
      model.stop(region)
      world.dismissed(region)
    case ("leave", _):
      model.leave()
      world.dismissed("map")
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [model] in model.screen }, shown: \.shown),
      Observed("executor", of: { [self] in executor != nil }) { $0 ? "alive" : .none },
    ]
  }
}
