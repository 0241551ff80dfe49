import Scenarios
import Simulator

/// A station finder built from a reducer and effects, and a user who types faster than the server answers.
final class ReducerWithEffects: System {
  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], requests: ["GET /stations"],
    except: [
      .cancellationReachesTransport: "A request ends with its screen, and not with the tap that began it."
    ])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.actionsInOrder("field", on: "screen", "query")),
      .responsiveWithin("type", on: "screen", "query"),
      SystemCheck(.latestWins("GET /stations", on: "screen", "stations", failing: "failed", as: true)),
      SystemCheck(.cancelIsNotFailure(on: "screen", "failed", failed: true)),
      SystemCheck(.nothingAfterDismissal(of: "screen")),
      SystemCheck(.endsWithOwner("GET /stations", by: "station finder")),
      SystemCheck(.successIsShown(of: "type", on: "screen", "stations")),
      SystemCheck(.failureIsShown(of: "GET /stations", on: "screen", "failed", as: true)),
      SystemCheck(.recoveryIsShown(of: "type", on: "screen", "failed", not: [true])),
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] { boundaries.exceptions }

  nonisolated static let descriptor = SystemDescriptor(
    "reducer-with-effects", "A station finder, where a reducer takes what is typed and asks for searches.",
    variants: [
      .init(
        "naive", "Each action in a task of its own: what was typed may be undone by what was typed before.",
        diagnoses: [
          "actions-in-order": [.outOfOrder], "latest-wins": [.staleOverNewer],
          "nothing-after-dismissal": [.outlivedOwner], "nothing-outlives": [.outlivedExecution],
        ], breaks: ["nothing-outlives"]),
      .init(
        "on-main", "State in series on the main actor, effects side by side, in tasks that nobody keeps.",
        diagnoses: [
          "latest-wins": [.staleOverNewer], "nothing-after-dismissal": [.outlivedOwner],
          "nothing-outlives": [.outlivedExecution],
        ], breaks: ["nothing-outlives"]),
      .init(
        "queue", "A queue that is handled all at once: out of order just the same.",
        diagnoses: [
          "actions-in-order": [.outOfOrder], "latest-wins": [.staleOverNewer],
          "nothing-after-dismissal": [.outlivedOwner], "nothing-outlives": [.outlivedExecution],
        ], breaks: ["nothing-outlives"]),
      .init(
        "busy-waiting",
        "Yields until the last action is done: the phone gets hot, and no letter is shown in time.",
        diagnoses: [
          "actions-in-order": [.outOfOrder], "nothing-after-dismissal": [.outlivedOwner],
          "nothing-outlives": [.outlivedExecution],
          "responsive-within": [.shownTooLate],
        ], breaks: ["nothing-outlives"]),
      .init(
        "stream", "One stream with one consumer: in order, but an old reply replaces a newer one.",
        diagnoses: [
          "latest-wins": [.staleOverNewer], "nothing-after-dismissal": [.outlivedOwner],
          "nothing-outlives": [.outlivedExecution],
        ], breaks: ["nothing-outlives"]),
      .init(
        "one-at-a-time", "Awaits each effect before the next action: typing freezes.",
        diagnoses: [
          "responsive-within": [.shownTooLate], "nothing-after-dismissal": [.outlivedOwner],
          "nothing-outlives": [.outlivedExecution],
        ], breaks: ["nothing-outlives"]),
      .init(
        "published",
        "A stream with one consumer, effects side by side that send through it: the list may be for an old text.",
        diagnoses: [
          "latest-wins": [.staleOverNewer], "nothing-after-dismissal": [.outlivedOwner],
          "nothing-outlives": [.outlivedExecution],
        ], breaks: ["nothing-outlives"]),
      .init("hardened", "A newer effect cancels the older: the list is for what the field holds."),
    ],
    actions: [
      .init(
        "type", "The field's text changes.",
        arguments: [.string("text", "All it now holds.", among: ["s", "su"])]),
      .init("leave", "The screen goes away."),
    ],
    fakes: [
      .init(
        "network", "The timetable's server.",
        operations: [.init("GET /stations", "Finds stations.", replies: ["ok", "offline"])])
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "A series of articles that builds a reducer with effects step by step: effects that send when "
        + "they like, a queue in front, an endless loop that waits busily, a stream with one consumer, "
        + "an actor that awaits each effect, and at last serial state with concurrent effects.",
      sources: [
        "naive": ["NaiveStationStore.swift"],
        "on-main": ["OnMainStationStore.swift"],
        "queue": ["QueueStationStore.swift"],
        "busy-waiting": ["BusyWaitingStationStore.swift"],
        "stream": ["StreamStationStore.swift"],
        "one-at-a-time": ["OneAtATimeStationStore.swift"],
        "published": ["PublishedStationStore.swift"],
        "hardened": ["HardenedStationStore.swift"],
      ],
      guards: [
        "closed-is-closed": "What comes after the screen has closed would start work again.",
        "newer-cancels-older": "The list for an older text could come last.",
        "no-action-when-cancelled":
          "A service that ignores the cancel would bring the older list all the same.",
        "cancelled-with-screen": "The effects would outlive the screen.",
      ]))

  private let store: any StationStore
  private let world: World
  private var field = ""

  init(_ variant: String, in world: World) throws {
    self.world = world
    let reducer = StationReducer(service: world.sessionNetwork())
    switch variant {
    case "naive": store = NaiveStationStore(reducer: reducer)
    case "on-main": store = OnMainStationStore(reducer: reducer)
    case "queue": store = QueueStationStore(reducer: reducer)
    case "busy-waiting": store = BusyWaitingStationStore(reducer: reducer)
    case "stream": store = StreamStationStore(reducer: reducer)
    case "one-at-a-time": store = OneAtATimeStationStore(reducer: reducer)
    case "published": store = PublishedStationStore(reducer: reducer)
    case "hardened": store = HardenedStationStore(reducer: reducer)
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.string("text")) {
    case ("type", let text?):
      field = text
      store.send(.typed(text))
    case ("leave", _):
      store.close()
      world.dismissed("station finder")
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("field", of: { [self] in field }) { .text($0) },
      Observed("screen", of: { [store] in store.screen }, shown: \.shown),
    ]
  }
}
