import Scenarios
import Simulator

/// A profile screen on a slow network, which the user leaves before it has loaded.
final class SlowDismiss: System {
  nonisolated static let screen = SystemScreen(
    "screen", showing: ["GET /profile": nil], initially: "empty", after: ["open"],
    waitsFor: ["GET /profile", "write"], triesAgainOnReturn: true)

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], stores: ["store"], requests: ["GET /profile"],
    saving: .savedIsKept(on: "screen", not: ["empty", "loading", "failed"], in: "disk"),
    except: [
      .cancellationReachesTransport: "A request ends with its screen, and not with the tap that began it."
    ])

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.nothingAfterDismissal(of: "screen")),
      SystemCheck(.endsWithOwner("GET /profile", by: "profile")),
      SystemCheck(.noOrphanedWrite()),
      SystemCheck(.singleFlight("GET /profile")),
      SystemCheck(.successIsTrue(on: "screen", not: ["empty", "loading", "failed"], by: "write")),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] { screen.exceptions + boundaries.exceptions }

  nonisolated static let descriptor = SystemDescriptor(
    "slow-dismiss", "A profile that loads slowly and is saved, on a screen that the user leaves.",
    variants: [
      .init(
        "naive", "Starts a task that nobody keeps.",
        diagnoses: [
          "nothing-after-dismissal": [.outlivedOwner], "no-orphaned-write": [.outlivedOwner],
          "nothing-outlives": [.outlivedExecution],
        ], breaks: ["owners-apart", "asked-off-main", "saved-is-kept", "nothing-outlives"]),
      .init("hardened", "Keeps the task and cancels it with the screen."),
    ],
    actions: [
      .init("open", "The screen appears."),
      .init("leave", "The screen goes away, if it is there."),
      .relaunch,
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
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "A screen whose user leaves before the server answers, as in every article on lifetimes: the "
        + "reply takes longer than the user's patience.",
      sources: [
        "naive": ["NaiveProfile.swift"],
        "hardened": ["HardenedProfile.swift"],
      ],
      guards: [
        "off-the-main-actor": "The request would be made, and its answer taken in, on the main actor's time.",
        "cancelled-with-screen": "The load would outlive the screen.",
        "no-save-after-dismissal":
          "A network that ignores the cancel answers all the same, and the profile would be saved "
          + "behind the user's back.",
        "no-publish-after-dismissal":
          "A save that ignores the cancel ends all the same, and the closed screen would change.",
        "no-failure-after-dismissal":
          "The cancel itself would be shown as a failure, on a screen that is gone.",
      ]))

  private let model: any ProfileModel
  private let world: World
  private var isOpen = false
  private var hasLeft = false

  init(_ variant: String, in world: World) throws {
    self.world = world
    switch variant {
    case "naive": model = NaiveProfile(service: world.sessionNetwork(), store: world.store())
    case "hardened": model = HardenedProfile(service: world.sessionNetwork(), store: world.store())
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "open":
      if hasLeft, !isOpen { world.appeared("profile") }
      isOpen = true
      model.appear()
    case "leave" where isOpen:
      model.disappear()
      world.dismissed("profile")
      (isOpen, hasLeft) = (false, true)
    case "leave": break
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
