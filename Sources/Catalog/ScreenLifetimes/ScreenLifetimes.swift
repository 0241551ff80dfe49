import Scenarios
import Simulator

/// A screen that goes away, comes back and goes again while its content loads.
final class ScreenLifetimes: System {
  nonisolated static let screen = SystemScreen(
    "screen", showing: ["GET /player": nil], initially: "empty", after: ["show"], waitsFor: ["GET /player"],
    triesAgainOnReturn: true)

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], requests: ["GET /player"],
    except: [
      .cancellationReachesTransport: "A request ends with its screen, and not with the tap that began it."
    ])

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.nothingAfterDismissal(of: "screen", by: "player")),
      SystemCheck(.endsWithOwner("GET /player", by: "player")),
      SystemCheck(.singleFlight("GET /player")),
      SystemCheck(.finishedIsForgotten(in: "tasks")),
      SystemCheck(.asksAgain(after: "push", by: "GET /player")),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] { screen.exceptions + boundaries.exceptions }

  nonisolated static let descriptor = SystemDescriptor(
    "screen-lifetimes", "A player's screen that goes away and comes back while it loads.",
    variants: [
      .init(
        "naive", "Starts tasks that nobody owns.",
        diagnoses: [
          "nothing-after-dismissal": [.outlivedOwner], "single-flight": [.duplicateRequest],
          "nothing-outlives": [.outlivedExecution],
        ], breaks: ["asked-off-main", "nothing-outlives"]),
      .init(
        "published", "Has a scope that keeps finished tasks and takes on new ones after its cancel.",
        diagnoses: [
          "nothing-after-dismissal": [.outlivedOwner], "nothing-outlives": [.outlivedExecution],
          "finished-is-forgotten": [.keptForEver],
        ], breaks: ["asked-off-main", "nothing-outlives"]),
      .init("view-owned", "Leaves the task to the view.", untested: ["finished-is-forgotten"]),
      .init(
        "model-owned", "Keeps the task, and cancels it with the screen.", untested: ["finished-is-forgotten"]),
      .init("hardened", "Has a scope that is closed with the screen."),
    ],
    actions: [
      .init("show", "The screen appears."),
      .init("hide", "The screen goes away."),
      .init("push", "The server says that the player has changed."),
    ],
    fakes: [
      .init(
        "network", "The team's server.",
        operations: [.init("GET /player", "Asks for the player.", replies: ["ok", "offline"])])
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "An explicit scope for the tasks of a screen: `run` keeps a task, `cancel` cancels all.",
      sources: [
        "naive": ["NaivePlayer.swift"],
        "published": ["PublishedPlayer.swift"],
        "view-owned": ["ViewOwnedPlayer.swift"],
        "model-owned": ["ModelOwnedPlayer.swift"],
        "hardened": ["HardenedPlayer.swift", "ScreenScope.swift"],
      ],
      guards: [
        "newer-cancels-older": "A change would start a second load beside the first.",
        "nothing-shown-when-cancelled": "A service that ignores the cancel would change the closed screen.",
        "nothing-after-close": "What comes after the user has left would start work again.",
        "nothing-begins-when-cancelled": "A task that is cancelled before its first step would still begin.",
        "forget-finished": "Finished tasks would be kept for ever.",
        "cancelled-with-screen": "The loads would outlive the screen.",
      ]))

  private let model: any PlayerModel
  private let view: FakeView<Int>

  init(_ variant: String, in world: World) throws {
    let service = world.sessionNetwork()
    let model: any PlayerModel =
      switch variant {
      case "naive": NaivePlayer(service: service)
      case "published": PublishedPlayer(service: service)
      case "view-owned": ViewOwnedPlayer(service: service)
      case "model-owned": ModelOwnedPlayer(service: service)
      case "hardened": HardenedPlayer(service: service)
      default: throw UnknownName("variant", variant)
      }
    self.model = model
    view = FakeView(
      id: model.revision, named: "player", onAppear: { model.appear() },
      onDisappear: { model.disappear() }, task: { _ in await model.task() })
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "show": view.appear()
    case "hide": view.disappear()
    case "push":
      model.changed()
      view.update(id: model.revision)
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [model] in model.screen }, shown: \.shown),
      Observed("tasks", of: { [model] in model.tasks }) { .int($0) },
    ]
  }
}
