import Scenarios
import Simulator

/// A session that is signed in to, and signed out of while that is under way.
final class SignIn: System {
  nonisolated static let boundaries = SystemBoundaries(
    network: ["network"], requests: ["POST /session"], needs: ["sign-out": []])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(
        .legalTransitions(
          on: "session",
          allowing: [
            "logged out": ["logging in to account 1", "logging in to account 2"],
            "logging in to account 1": ["logged in to account 1", "logged out"],
            "logging in to account 2": ["logged in to account 2", "logged out"],
            "logged in to account 1": ["logged out"],
            "logged in to account 2": ["logged out"],
          ], passing: ["logging in to account 1", "logging in to account 2"])),
      SystemCheck(.onlyAllowedErrors(allowing: ["notAllowed", "signedOut"])),
      SystemCheck(.outcomeIsTrue(of: "sign-in", by: "POST /session")),
      SystemCheck(
        .refusalIsTrue(
          of: [
            "sign-in": [
              "logging in to account 1", "logging in to account 2", "logged in to account 1",
              "logged in to account 2",
            ], "sign-out": ["logged out"],
          ], in: "session", saying: "notAllowed")),
      SystemCheck(.retryWorks(of: "sign-in", allowing: ["notAllowed", "signedOut"])),
      .settlesWithin,
    ]

  nonisolated static let descriptor = SystemDescriptor(
    "sign-in", "A session with two accounts; the user signs out while signing in.",
    variants: [
      .init(
        "naive", "Sets the state when the server answers, whatever it has become.",
        diagnoses: ["legal-transitions": [.leftState], "settles-within": [.settledTooLate]]),
      .init(
        "published", "Refuses what the state does not allow, and stays in it when the server fails.",
        diagnoses: ["legal-transitions": [.leftHalfWay]]),
      .init("hardened", "Signing out cancels the request; a failure leads back."),
    ],
    actions: [
      .init(
        "sign-in", "The user signs in.", arguments: [.integer("account", "Which of the two.", in: 1...2)]),
      .init("sign-out", "The user signs out."),
    ],
    fakes: [
      .init(
        "network", "The server.",
        operations: [.init("POST /session", "Authenticates the user.", replies: ["ok", "offline"])])
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "A session as a state machine in an article: logged out, logging in, logged in, and calls "
        + "that the state does not allow.",
      sources: [
        "naive": ["NaiveSignIn.swift"],
        "published": ["PublishedSignIn.swift"],
        "hardened": ["HardenedSignIn.swift"],
      ],
      guards: [
        "cancel-reaches-request":
          "The request is a task of its own, which the caller's cancel would not reach.",
        "only-the-current-request": "The answer to a sign-in that was given up would log the user in.",
        "failure-logs-out": "After a failure the session would be logging in for ever.",
        "sign-out-cancels-request": "The request would go on after the sign-out.",
      ]))

  private let session: any SignInSession

  init(_ variant: String, in world: World) throws {
    switch variant {
    case "naive": session = NaiveSignIn(service: world.sessionNetwork())
    case "published": session = PublishedSignIn(service: world.sessionNetwork())
    case "hardened": session = HardenedSignIn(service: world.sessionNetwork())
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.integer("account")) {
    case ("sign-in", let account?): try await session.signIn(to: account)
    case ("sign-out", _): try await session.signOut()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [Observed("session", of: { [session] in session.stateBetweenSteps }, shown: \.shown)]
  }
}

extension SignInSession {
  fileprivate nonisolated var stateBetweenSteps: SignInState { assumeIsolated { $0.state } }
}
