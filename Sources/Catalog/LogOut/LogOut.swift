import Scenarios
import Simulator

/// A clinic's app that syncs in the background while the user logs out.
final class LogOut: System {
  nonisolated static let boundaries = SystemBoundaries(
    network: ["network"], stores: ["keychain"], requests: ["POST /session", "GET /findings"],
    needs: ["log-out": ["write", "transaction"]])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.staysLoggedOut("session", "findings", "keychain")),
      SystemCheck(.noSessionLeft(in: "session", on: "keychain")),
      SystemCheck(.onlyAllowedErrors(allowing: ["LoggedOut"])),
      SystemCheck(.outcomeIsTrue(of: "sync", by: "GET /findings", shared: true)),
      SystemCheck(.rightWhenAlone(isRight)),
      .settlesWithin,
    ]

  private nonisolated static func isRight(_ alone: LoneAction) throws(LoneAction.Flaw) {
    let session = alone.before["session"] ?? .none
    if alone.name == "log-out" {
      try alone.demand(
        alone.returned != alone.hadFailure, "it fails where the keychain has failed, and only there")
      return try alone.demand(
        alone.after["session"] == (alone.returned ? .none : session),
        "nobody is logged out on the screen only")
    }
    if session == .none {
      return try alone.demand(alone.error.hasPrefix("LoggedOut"), "without a session a sync is refused")
    }
    try alone.demand(
      alone.returned != alone.hadFailure, "it fails where something has failed, and only there")
    try alone.demand(
      !alone.returned || alone.after["findings"] == alone.answer("GET /findings"), "the findings are shown")
    try alone.demand(
      !alone.succeeded("POST /session") || alone.after["session"] == alone.answer("POST /session"),
      "a session that was renewed is the session")
    try alone.demand(
      !alone.succeeded("POST /session") || alone.count("write") == 1,
      "a session that was renewed is saved, whatever comes of the findings")
    try alone.demand(
      !alone.succeeded("write") || alone.after["keychain"] == alone.after["session"], "the session is saved")
  }

  nonisolated static let descriptor = SystemDescriptor(
    "log-out", "A clinic's app that syncs in the background while the user logs out.",
    variants: [
      .init(
        "naive", "Forgets the session, and lets a sync that is under way bring it back.",
        diagnoses: [
          "stays-logged-out": [.outlivedOwner], "settles-within": [.settledTooLate],
          "no-session-left": [.savedNotShown],
        ], breaks: ["owners-apart"]),
      .init("hardened", "Cancels the sync and waits for its end before it forgets."),
    ],
    actions: [
      .init("sync", "The app syncs in the background."),
      .init("log-out", "The user logs out."),
      .relaunch,
    ],
    fakes: [
      .init(
        "network", "The clinic.",
        operations: [
          .init("POST /session", "Renews the session.", replies: ["ok", "offline"]),
          .init("GET /findings", "Asks for the findings.", replies: ["ok", "offline"]),
        ]),
      .init(
        "keychain", "Where the session is kept on the device.",
        operations: [
          .init("write", "Saves the session.", faults: ["never", "before-commit", "after-commit"]),
          .init("transaction", "Deletes the session.", faults: ["never", "before-commit", "after-commit"]),
        ]),
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "A log-out while work is in flight that renews and saves the session.",
      sources: [
        "naive": ["NaiveClinicClient.swift"],
        "hardened": ["HardenedClinicClient.swift"],
      ],
      guards: [
        "owners-apart": "One actor would own the network and the keychain.",
        "cancel-reaches-sync": "A sync that nobody wants any more would go on to its end.",
        "one-sync": "The log-out would know of one sync, and another would bring the session back.",
        "log-out-cancels": "The log-out would wait for all that the sync still wants.",
        "log-out-waits": "A save that is under way could land after the keychain was cleared.",
      ]))

  private let client: any ClinicClient
  private let keychain: FakeStore

  init(_ variant: String, in world: World) throws {
    let service = world.sessionNetwork()
    keychain = world.store("keychain", holding: ["session": ClinicSession(token: "token 0")])
    let session = keychain.held("session", as: ClinicSession.self)
    switch variant {
    case "naive": client = NaiveClinicClient(session, service: service, keychain: keychain)
    case "hardened": client = HardenedClinicClient(session, service: service, keychain: keychain)
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "sync": try await client.sync()
    case "log-out": try await client.logOut()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("session", of: { [client] in client.sessionBetweenSteps }, shown: \.shown),
      Observed("findings", of: { [client] in client.findingsBetweenSteps }, shown: \.shown),
      Observed(
        "keychain", in: keychain, of: { $0.held("session", as: ClinicSession.self) }, shown: \.shown),
    ]
  }
}

extension ClinicClient {
  fileprivate nonisolated var sessionBetweenSteps: ClinicSession? { assumeIsolated { $0.session } }
  fileprivate nonisolated var findingsBetweenSteps: [Finding] { assumeIsolated { $0.findings } }
}
