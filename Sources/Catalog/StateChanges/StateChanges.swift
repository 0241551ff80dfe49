import CatalogInSwift5
import Scenarios
import Simulator

/// A dimmer, and a user who moves its slider faster than the lamp can follow.
final class StateChanges: System {
  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["lamp"], requests: ["write"],
    except: [.cancellationReachesTransport: "A level that was sent is seen through: the lamp may have it."])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.actionsInOrder("slider", on: "screen")),
      SystemCheck(.screenMatchesDisk("screen", "lamp")),
      SystemCheck(
        .rightWhenAlone { alone throws(LoneAction.Flaw) in
          try alone.demand(!alone.isFirst || alone.before["screen"] == 0, "at first the lamp is dark")
          try alone.demand(
            alone.after["screen"] == alone.after["slider"], "the screen shows the slider's level")
        }),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] { boundaries.exceptions }

  nonisolated static let descriptor = SystemDescriptor(
    "state-changes", "A dimmer: the slider's level is shown, and the lamp is told.",
    variants: [
      .init(
        "naive", "Belongs to no actor: a task that waits for the lamp changes the screen wherever it runs.",
        diagnoses: [
          "screen-only-on-main": [.offTheMainActor], "actions-in-order": [.outOfOrder],
          "screen-matches-disk": [.outOfOrder],
        ], breaks: ["screen-only-on-main"]),
      .init(
        "published", "Belongs to the main actor: who waits for the lamp is overtaken, the level jumps back.",
        diagnoses: ["actions-in-order": [.outOfOrder], "screen-matches-disk": [.outOfOrder]]),
      .init("hardened", "Shows each level at once, in order; the lamp is told one after the other."),
    ],
    actions: [
      .init("slide", "The user moves the slider.", arguments: [.integer("level", "In percent.", in: 0...100)])
    ],
    fakes: [
      .init("lamp", "The lamp, over the air.", operations: [.init("write", "Tells it its level.")])
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "State that is changed off the main actor, one action at a time, and watched by a screen.",
      sources: [
        "naive": ["../../CatalogInSwift5/StateChanges/NaiveDimmer.swift"],
        "published": ["PublishedDimmer.swift"],
        "hardened": ["HardenedDimmer.swift"],
      ],
      guards: [
        "shown-at-once": "Levels that wait could overtake each other, and the slider would jump back.",
        "told-one-after-the-other": "The lamp could be told the older level last.",
      ]))

  private let view: DimmerView
  private let lamp: FakeStore
  private var slider = 0

  init(_ variant: String, in world: World) throws {
    lamp = world.store("lamp")
    switch variant {
    case "naive": view = DimmerView(model: NaiveDimmer(lamp: lamp))
    case "published": view = DimmerView(model: PublishedDimmer(lamp: lamp))
    case "hardened": view = DimmerView(model: HardenedDimmer(lamp: lamp))
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.integer("level")) {
    case ("slide", let level?):
      slider = level
      view.slide(to: level)
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("slider", of: { [self] in slider }) { .int($0) },
      Observed("screen", of: { [view] in view.level }) { .int($0) },
      Observed("lamp", in: lamp, of: { $0.held("level", as: Int.self) ?? 0 }) { .int($0) },
    ]
  }
}
