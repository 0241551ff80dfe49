import Scenarios
import Simulator

/// A profile screen on a slow network, which the user leaves before it has loaded.
final class SlowDismiss: System {
  nonisolated static let checks = [
    SystemCheck(.nothingAfterDismissal(of: "screen")),
    SystemCheck(.noOrphanedWrite()),
    .settlesWithin,
  ]

  nonisolated static let descriptor = SystemDescriptor(
    "slow-dismiss", "A profile that loads slowly and is saved, on a screen that the user leaves.",
    variants: [
      .init(
        "naive", "Starts a task that nobody keeps.",
        diagnoses: [
          "nothing-after-dismissal": [.outlivedOwner], "no-orphaned-write": [.outlivedOwner],
          "nothing-outlives": [.outlivedExecution],
        ]),
      .init("hardened", "Keeps the task and cancels it with the screen."),
    ],
    actions: [
      .init("open", "The screen appears."),
      .init("leave", "The screen goes away."),
    ],
    fakes: [
      .init(
        "network", "The server.",
        operations: [.init("GET /profile", "Asks for the profile.", replies: ["ok", "offline"])]),
      .init(
        "store", "Where the profile is kept on the device.",
        operations: [
          .init("write", "Saves the profile.", faults: ["never", "before-commit", "after-commit"])
        ]),
    ],
    invariants: checks.map(\.descriptor))

  private let model: any ProfileModel
  private let world: World

  init(_ variant: String, in world: World) throws {
    self.world = world
    switch variant {
    case "naive": model = NaiveProfile(service: world.network(), store: world.store())
    case "hardened": model = HardenedProfile(service: world.network(), store: world.store())
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "open": model.appear()
    case "leave":
      model.disappear()
      world.dismissed("profile")
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [model] in model.screen }, shown: \.shown),
      Observed("disk", in: world.store(), of: { $0.held("profile", as: Profile.self) }) { profile in
        profile.map { .text($0.name) } ?? .none
      },
    ]
  }
}
