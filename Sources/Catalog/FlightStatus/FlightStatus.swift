import Scenarios
import Simulator

/// A traveler's flight from the airline to the screen: a push comes in between, and the process may die.
final class FlightStatus: System {
  nonisolated static let screen = SystemScreen(
    "screen", "phase", initially: "empty", after: ["open"], waitsFor: ["GET /flight"],
    triesAgainOnReturn: true)

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], stores: ["store"], requests: ["GET /flight"],
    except: [
      .cancellationReachesTransport: "A request ends with its screen, and not with the tap that began it."
    ])

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.newestIsShown(on: "screen")),
      SystemCheck(.newestIsKept(on: "disk")),
      SystemCheck(.nothingAfterDismissal(of: "screen")),
      SystemCheck(.singleFlight("POST /token")),
      SystemCheck(.onlyAllowedErrors()),
      SystemCheck(.broughtOverAsAWhole(on: "disk")),
      SystemCheck(.refusedTokenIsReplaced("POST /token", refusedBy: "GET /flight")),
      SystemCheck(.rightWhenAlone(isRight)),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] { screen.exceptions + boundaries.exceptions }

  nonisolated static let descriptor = SystemDescriptor(
    "flight-status", "A flight on its way from the airline through client, store and model to the screen.",
    variants: [
      .init(
        "naive", "Shows and saves whatever comes, in the order in which it comes.",
        diagnoses: [
          "newest-is-shown": [.staleOverNewer], "newest-is-kept": [.staleOverNewer],
          "brought-over-as-a-whole": [.writtenInPart], "refused-token-is-replaced": [.leftState],
          "nothing-after-dismissal": [.outlivedOwner], "single-flight": [.duplicateRequest, .checkThenAct],
          "nothing-outlives": [.outlivedExecution], "settles-within": [.settledTooLate],
        ]),
      .init(
        "hardened", "What is newer stays, on the screen and on the disk, whatever comes late or dies.",
        untested: ["store read", "store write"]),
    ],
    actions: [
      .init("open", "The screen appears."),
      .init("leave", "The screen goes away, if it is there."),
      .init("change-gate", "The airline changes the gate, and a push says so."),
      .relaunch,
    ],
    fakes: [
      .init(
        "network", "The airline.",
        operations: [
          .init("GET /flight", "Asks for the flight.", replies: ["ok", "unauthorized", "offline"]),
          .init("POST /token", "Asks for a new token.", replies: ["ok", "offline"]),
        ]),
      .init(
        "store", "The disk, on which the last version of the app has left its record.",
        operations: [
          .init("read", "Reads a record.", faults: ["never", "before-commit"]),
          .init("write", "Writes or removes a record.", faults: ["never", "before-commit", "after-commit"]),
          .init(
            "transaction", "Changes records as a whole.", faults: ["never", "before-commit", "after-commit"]),
        ]),
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin:
        "One screen of an app from end to end: what articles show a layer at a time, with a push and the "
        + "death of the process, which they leave out.",
      sources: [
        "naive": ["NaiveFlight.swift"],
        "hardened": ["HardenedFlight.swift"],
      ],
      guards: [
        "load-ends-with-screen": "The load would go on for a screen that is gone.",
        "nothing-after-leaving":
          "What does not listen to the cancel answers all the same, and the closed screen would change.",
        "newest-is-shown": "A reply that was on its way when the push came would show the old gate again.",
        "one-refresh": "Each request whose token was refused would ask for another one.",
        "newest-is-kept": "A reply that is saved late would replace what the push has brought.",
      ]))

  private let world: World
  private let airline: FakeAirline
  private let disk: FakeStore
  private let model: any FlightModel
  private var isOpen = false
  private var hasLeft = false

  init(_ variant: String, in world: World) throws {
    self.world = world
    airline = world.fake("network") { FakeAirline($0) }
    disk = world.store(holding: ["gate": "B7"])
    switch variant {
    case "naive":
      model = NaiveFlightModel(
        client: NaiveFlightClient(airline: airline), store: NaiveFlightStore(disk: disk))
    case "hardened":
      model = HardenedFlightModel(
        client: HardenedFlightClient(airline: airline), store: HardenedFlightStore(disk: disk))
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "open":
      if hasLeft, !isOpen { world.appeared("flight") }
      isOpen = true
      model.appear()
    case "leave" where isOpen:
      model.disappear()
      world.dismissed("flight")
      (isOpen, hasLeft) = (false, true)
    case "leave": break
    case "change-gate": try await model.receive(airline.changeGate())
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [model] in model.screen }, shown: \.shown),
      Observed("is-there", of: { [self] in isOpen }) { .bool($0) },
      Observed(
        "disk", in: disk,
        of: {
          FlightRecords(
            oldGate: $0.held("gate", as: String.self), flight: $0.held("flight", as: Flight.self))
        }, shown: \.shown),
    ]
  }
}
