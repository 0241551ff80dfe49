import Scenarios
import Simulator

/// The number of unread messages, counted by each task that brings one.
final class SharedBox: System {
  nonisolated static let boundaries = SystemBoundaries(
    stores: ["log"])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.noLostUpdate(of: "unread", by: "receive")),
      SystemCheck(.workIsBegun(of: "receive", by: "write")),
      .settlesWithin,
    ]

  nonisolated static let descriptor = SystemDescriptor(
    "shared-box", "A badge that counts unread messages; several come at once.",
    variants: [
      .init(
        "naive", "Uses an actor as a synchronised dictionary: gets, changes, sets.",
        diagnoses: ["no-lost-update": [.lostUpdate]], breaks: ["asked-off-main"]),
      .init(
        "published", "Counts inside the actor, but awaits between reading and writing.",
        diagnoses: ["no-lost-update": [.lostUpdate]]),
      .init("hardened", "Reads and writes in one step."),
    ],
    actions: [.init("receive", "A message arrives.")],
    fakes: [
      .init("log", "Where arrivals are logged.", operations: [.init("write", "Appends a line.")])
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "An actor that is used as a synchronised dictionary: get, change, set.",
      sources: [
        "naive": ["NaiveUnreadCounts.swift"],
        "published": ["PublishedUnreadCounts.swift"],
        "hardened": ["HardenedUnreadCounts.swift"],
      ],
      guards: [
        "count-before-waiting": "Two messages would read the same count, and one would not be counted."
      ]))

  private nonisolated static let channel = "news"
  private let counts: any UnreadCounts
  let observed: [Observed]

  init(_ variant: String, in world: World) throws {
    let log = world.store("log")
    let unread: @MainActor @Sendable () -> [String: Int]
    switch variant {
    case "naive":
      let box = Box<String, Int>()
      counts = NaiveUnreadCounts(box: box, log: log)
      unread = { box.assumeIsolated { $0.contents } }
    case "published":
      let published = PublishedUnreadCounts(log: log)
      counts = published
      unread = { published.assumeIsolated { $0.counts } }
    case "hardened":
      let hardened = HardenedUnreadCounts(log: log)
      counts = hardened
      unread = { hardened.assumeIsolated { $0.counts } }
    default: throw UnknownName("variant", variant)
    }
    observed = [Observed("unread", of: unread) { .int($0[Self.channel] ?? 0) }]
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "receive": await counts.received(in: Self.channel)
    default: throw UnknownName("action", action.name)
    }
  }
}
