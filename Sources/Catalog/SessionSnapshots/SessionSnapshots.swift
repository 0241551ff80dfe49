import Scenarios
import Simulator

/// An account screen that follows a session, while the session goes on.
final class SessionSnapshots: System {
  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], requests: ["GET /portrait"])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.snapshotWasTrue(on: "screen", of: "session")),
      SystemCheck(.versionNeverBack(on: "screen", "version", of: "session")),
      SystemCheck(.screenMatchesDisk("screen", "session")),
      .settlesWithin,
    ]

  nonisolated static let descriptor = SystemDescriptor(
    "session-snapshots", "A screen that shows who is signed in and how many messages wait.",
    variants: [
      .init(
        "naive", "Reads the session in two halves; the last refresh to finish wins.",
        diagnoses: ["snapshot-was-true": [.tornSnapshot], "version-never-back": [.staleOverNewer]]),
      .init(
        "published", "Reads the session at once; the last refresh to finish wins.",
        diagnoses: ["version-never-back": [.staleOverNewer]]),
      .init("hardened", "Reads the session at once, and shows no older version than before."),
    ],
    actions: [
      .init(
        "sign-in", "The user signs in.",
        arguments: [.string("name", "As whom.", default: "Ada", among: ["Ben"])]),
      .init("sign-out", "The user signs out."),
      .init("receive", "A message arrives."),
    ],
    fakes: [
      .init(
        "network", "The server.",
        operations: [.init("GET /portrait", "Sends the user's portrait.", replies: ["ok", "offline"])])
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "A main-actor model that asks an actor for one value that holds all that it shows.",
      sources: [
        "naive": ["NaiveAccountModel.swift"],
        "published": ["PublishedAccountModel.swift"],
        "hardened": ["HardenedAccountModel.swift"],
      ],
      guards: [
        "one-read": "Name and count would be read at two moments, and shown as one."
      ]))

  private let session: AccountSession
  private let model: any AccountModel

  init(_ variant: String, in world: World) throws {
    session = AccountSession(portraits: world.sessionNetwork())
    switch variant {
    case "naive": model = NaiveAccountModel(session)
    case "published": model = PublishedAccountModel(session)
    case "hardened": model = HardenedAccountModel(session)
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "sign-in": await session.signIn(as: action.string("name") ?? "")
    case "sign-out": await session.signOut()
    case "receive": await session.receiveMessage()
    default: throw UnknownName("action", action.name)
    }
    await model.refresh()
  }

  var observed: [Observed] {
    [
      Observed("session", of: { [session] in session.assumeIsolated { $0.snapshot } }, shown: \.shown),
      Observed("screen", of: { [model] in model.screen }, shown: \.shown),
    ]
  }
}
