import Scenarios
import Simulator

/// A boarding pass whose two parts come from two requests of one `URLSession`, collected in five ways.
final class TwoOnAQueue: System {
  nonisolated static let boundaries = SystemBoundaries(
    network: ["server"])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.exactlyOnce("open")),
      SystemCheck(.onlyAllowedErrors(of: "open")),
      SystemCheck(.outcomeIsTrue(of: "open", by: "GET /booking")),
      .settlesWithin,
    ]

  nonisolated static let descriptor = SystemDescriptor(
    "two-on-a-queue",
    "A boarding pass from two requests of one URLSession, collected on queues, in groups, operations and locks.",
    variants: [
      naive("naive", "Two optionals; the session calls back on a queue that runs callbacks side by side."),
      .init("hardened", "Two optionals; the session calls back on a queue of one operation at a time."),
      naive("group-naive", "A dispatch group, which a request that fails never leaves.", waits: true),
      .init("group", "A dispatch group, which every callback leaves."),
      .init("group-wait", "A dispatch group that a thread waits for, and does nothing else meanwhile."),
      naive(
        "operations-naive", "Operations, of which one that was cancelled early never finishes.", waits: true),
      .init("operations", "Operations, of which each finishes."),
      naive("lock-naive", "Optionals behind a lock each, so that both callbacks may find both."),
      .init("lock", "Optionals behind one lock, so that only the second callback finds both."),
      naive(
        "nested-naive", "The second request in the first one's callback, without an answer where that fails.",
        waits: true),
      .init(
        "nested", "The second request in the first one's callback, with an answer on every path.",
        diagnoses: ["settles-within": [.settledTooLate]], isSound: true),
    ],
    actions: [
      .init("open", "The traveller opens the boarding pass, and waits for it."),
      .init("skip-seat", "The traveller does not want to wait for the seat."),
      .init("skip-booking", "The traveller does not want to wait for the booking."),
    ],
    fakes: [
      .init(
        "server", "The airline.",
        operations: [
          .init("GET /booking", "Asks who flies where.", replies: ["ok", "offline"]),
          .init("GET /seat", "Asks for the seat.", replies: ["ok", "offline"]),
        ])
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "An article on two requests in parallel: a session whose delegate queue is serial and two "
        + "optionals; beside it the article names groups, operations, locks and nested callbacks.",
      sources: [
        "naive": ["NaiveQueueLoader.swift"],
        "hardened": ["HardenedQueueLoader.swift"],
        "group-naive": ["NaiveGroupLoader.swift"],
        "group": ["HardenedGroupLoader.swift"],
        "group-wait": ["WaitingGroupLoader.swift"],
        "operations-naive": ["NaiveOperationLoader.swift"],
        "operations": ["HardenedOperationLoader.swift"],
        "lock-naive": ["NaiveLockLoader.swift"],
        "lock": ["HardenedLockLoader.swift"],
        "nested-naive": ["NaiveNestedLoader.swift"],
        "nested": ["HardenedNestedLoader.swift"],
      ],
      guards: [
        "leaves-on-every-path":
          "A request that fails would never leave the group, and nobody would be answered.",
        "one-lock-for-both": "Both callbacks could find both parts, and both would answer.",
        "cancel-is-remembered": "A cancel before the second request has begun would be lost.",
        "answers-on-every-path": "Where the first request fails, nobody would be answered.",
        "finishes-when-cancelled":
          "An operation that was cancelled before it started would never finish, and neither would "
          + "the one that waits for it.",
        "one-callback-at-a-time": "Both callbacks would run at once and change the same variables.",
      ]))

  /// A variant that breaks; `waits` if its caller then waits for ever, in the natural order too.
  private nonisolated static func naive(
    _ name: String, _ summary: String, waits: Bool = false
  ) -> SystemDescriptor.Variant {
    .init(
      name, summary,
      diagnoses: [
        "exactly-once": [.completedTwice, .neverAnswered], "continuation-resumed-twice": [.completedTwice],
        "nothing-outlives": [.outlivedExecution], "settles-within": [.settledTooLate],
      ], breaks: waits ? ["nothing-outlives"] : [])
  }

  private let model: PassModel

  init(_ variant: String, in world: World) throws {
    world.webServer { $0.passPart }
    let loader: any PassLoader =
      switch variant {
      case "naive": NaiveQueueLoader()
      case "hardened": HardenedQueueLoader()
      case "group-naive": NaiveGroupLoader()
      case "group": HardenedGroupLoader()
      case "group-wait": WaitingGroupLoader()
      case "operations-naive": NaiveOperationLoader()
      case "operations": HardenedOperationLoader()
      case "lock-naive": NaiveLockLoader()
      case "lock": HardenedLockLoader()
      case "nested-naive": NaiveNestedLoader()
      case "nested": HardenedNestedLoader()
      default: throw UnknownName("variant", variant)
      }
    model = PassModel(loader: loader)
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "open": try await model.open()
    case "skip-seat": model.skipSeat()
    case "skip-booking": model.skipBooking()
    default: throw UnknownName("action", action.name)
    }
  }

  /// Steps of which a value is observed run as wholes, and these are to be interrupted.
  var observed: [Observed] { [] }
}
