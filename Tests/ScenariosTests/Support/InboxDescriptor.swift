@testable import ScenarioFiles

extension SystemDescriptor {
  /// A descriptor with something of everything, after the example in the format's description.
  static let inbox = SystemDescriptor(
    "inbox-refresh", "An inbox that shows what the store holds and refreshes it.",
    variants: [
      .init("naive", "What people write first."),
      .init("hardened", "What they should write."),
    ],
    actions: [
      .init("refresh", "Pulls to refresh."),
      .init(
        "open", "Opens a letter.",
        arguments: [
          .string("letter", "Which letter."),
          .integer("page", "Which page of it.", in: 1...99, default: 1),
          .duration("linger", "How long it is read.", default: .seconds(1)),
          .bool("animated", "Whether it slides in.", default: false),
        ]),
      .init("dismiss", "Leaves the screen."),
    ],
    fakes: [
      .init(
        "network", "The server.",
        operations: [
          .init("GET /inbox", "Fetches the letters.", replies: ["ok", "offline", "500"]),
          .init("GET /letter", "Fetches one.", replies: ["ok", "offline"], acceptedKeys: [.delay]),
        ]),
      .init(
        "store", "The disk.",
        operations: [
          .init(
            "write", "Saves the letters.", faults: ["never", "before-commit", "after-commit", "torn"],
            acceptedKeys: [.delay, .spend, .ignoresCancel])
        ]),
    ],
    settings: [.duration("staleAfter", "When what the store holds is too old.", default: .minutes(10))],
    invariants: [
      .init("nothing-after-dismissal", "A screen that has gone is not changed."),
      .init("no-orphaned-write", "Nobody writes for a task that was cancelled."),
      .init("settles-within", "All is at rest in time.", parameter: .duration),
    ])

  /// A second system, so that names can be mistaken for its.
  static let counter = SystemDescriptor(
    "counter", "Counts taps.", variants: [.init("only", "The one there is.")],
    actions: [.init("tap", "Counts up.", arguments: [.integer("by", "How far.")])])
}

extension Vocabulary {
  static let test = Vocabulary(systems: [.inbox, .counter])
}
