import Scenarios
import Simulator

/// A dashboard whose tiles load side by side and are then saved, and a user who does not wait for it.
final class MergeAndConcatenate: System {
  private nonisolated static let tiles = ["weather", "news", "mail"]

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], stores: ["store"],
    requests: ["GET /weather", "GET /news", "GET /mail"])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(
        .all(
          ["screen", "disk"].flatMap { place in
            tiles.map { tile in .latestWins("GET /\(tile)", on: place, tile) }
          })),
      SystemCheck(.cancelIsNotFailure(on: "screen", "failed", failed: true)),
      SystemCheck(
        .failureIsShown(
          of: "GET /weather", "GET /news", "GET /mail", "write", on: "screen", "failed", as: true)
      ),
      SystemCheck(.noOrphanedWrite()),
      SystemCheck(
        .rightWhenAlone { alone throws(LoneAction.Flaw) in
          for tile in tiles {
            try alone.demand(alone.count("GET /\(tile)") == 1, "each tile is asked for once")
            try alone.demand(
              alone.after["screen"]?[tile] == alone.answer("GET /\(tile)") ?? alone.before["screen"]?[tile],
              "what has come is shown")
          }
          try alone.demand(
            alone.count("write") == 1 && alone.after["screen"]?["saved"] == .bool(alone.succeeded("write")),
            "what is shown is saved")
        }),
      .settlesWithin(usually: .seconds(20)),
    ]

  nonisolated static let descriptor = SystemDescriptor(
    "merge-and-concatenate", "A dashboard: three tiles load side by side, then what they show is saved.",
    variants: [
      .init(
        "naive", "A task for each tile: cancelled, the dashboard goes on loading.",
        diagnoses: [
          "no-orphaned-write": [.writeAfterCancellation], "nothing-outlives": [.outlivedExecution],
          "settles-within": [.settledTooLate],
        ], breaks: ["cancellation-reaches-transport", "nothing-outlives"]),
      .init(
        "in-a-row", "One tile after the other: the user waits for the sum.",
        diagnoses: ["settles-within": [.settledTooLate]]),
      .init("hardened", "The tiles are children of the refresh: all at once, and all stop with it."),
    ],
    actions: [.init("refresh", "The user pulls to refresh.")],
    fakes: [
      .init(
        "network", "The server.",
        operations: [
          .init("GET /weather", "Asks for the weather.", replies: ["ok", "offline"]),
          .init("GET /news", "Asks for the news.", replies: ["ok", "offline"]),
          .init("GET /mail", "Asks for the mail.", replies: ["ok", "offline"]),
        ]),
      .init(
        "store", "Where the dashboard is kept on the device.",
        operations: [.init("write", "Saves it.", faults: ["never", "before-commit", "after-commit"])]),
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "Effects that are merged into a group or put in a row, as articles combine them.",
      sources: [
        "naive": ["NaiveEffects.swift"],
        "in-a-row": ["InARowEffects.swift"],
        "hardened": ["HardenedEffects.swift"],
      ],
      guards: [
        "structured-child": "A task of its own would not hear of the cancel."
      ]))

  private let store: DashboardStore
  private let disk: FakeStore

  init(_ variant: String, in world: World) throws {
    let effects: any EffectCombinators =
      switch variant {
      case "naive": NaiveEffects()
      case "in-a-row": InARowEffects()
      case "hardened": HardenedEffects()
      default: throw UnknownName("variant", variant)
      }
    disk = world.store()
    store = DashboardStore(effects: effects, service: world.sessionNetwork(), archive: disk)
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "refresh": await store.refresh()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [store] in store.screen }, shown: \.shown),
      Observed("disk", in: disk, of: { $0.held("dashboard", as: DashboardScreen.self) }) {
        $0?.shown ?? .none
      },
    ]
  }
}
