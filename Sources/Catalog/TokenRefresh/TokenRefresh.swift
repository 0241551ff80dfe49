import Scenarios
import Simulator

/// A banking app whose screens ask at once, with a token that expires.
final class TokenRefresh: System {
  nonisolated static let boundaries = SystemBoundaries(
    network: ["network", "tokens"], requests: ["GET /statement"])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.singleFlight("refresh")),
      SystemCheck(.noExpiredTokenSent("GET /statement")),
      SystemCheck(.everyAskerAnswered("open")),
      SystemCheck(.onlyAllowedErrors()),
      SystemCheck(.outcomeIsTrue(of: "open", by: "GET /statement")),
      SystemCheck(.retryWorks(of: "open")),
      .settlesWithin,
    ]

  nonisolated static let descriptor = SystemDescriptor(
    "token-refresh", "Account statements that are asked for with a token which expires.",
    variants: [
      .init(
        "naive", "Whoever finds the token expired gets a new one.",
        diagnoses: [
          "single-flight": [.duplicateRequest, .checkThenAct], "no-expired-token-sent": [.usedAfterExpiry],
          "settles-within": [.settledTooLate],
        ]),
      .init("hardened", "One refresh for all; the token is looked at where it is used."),
    ],
    actions: [
      .init(
        "open", "The user opens an account.",
        arguments: [.integer("account", "Which of the five.", in: 1...5)])
    ],
    fakes: [
      .init(
        "network", "The bank.",
        operations: [.init("GET /statement", "Asks for a statement.", replies: ["ok", "offline"])]),
      .init(
        "tokens", "Where tokens are issued.",
        operations: [.init("refresh", "Asks for a new token.", replies: ["ok", "offline"])]),
      .init(
        "device", "What holds the user's key.",
        operations: [.init("sign", "Signs a request; may ask for the user's face.")]),
    ],
    settings: [
      .duration("expiresIn", "For how long the first token is still good.", default: .seconds(3)),
      .duration("lifetime", "For how long every later one is.", default: .seconds(60)),
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "Requests that meet an expired token at once, and a token that expires between the look at it "
        + "and its use.",
      sources: [
        "naive": ["NaiveBankClient.swift"],
        "hardened": ["HardenedBankClient.swift"],
      ],
      guards: [
        "check-where-used": "The token could expire between the look at it and its use.",
        "refused-only-once": "A late refusal of the old token would have the new one replaced, too.",
        "one-refresh": "Each request would refresh the token.",
        "refresh-ends":
          "The first refresh would be the last: its end, or its failure, would be everybody's for "
          + "good.",
      ]))

  private let client: any BankClient

  init(_ variant: String, in world: World) throws {
    let tokens = world.tokens(lifetime: world.settings.duration("lifetime")?.duration ?? .zero)
    let first = BankToken(tokens.issue(for: world.settings.duration("expiresIn")?.duration))
    let bank = FakeBank(network: world.sessionNetwork(), tokens: tokens)
    let device = world.network("device")
    switch variant {
    case "naive": client = NaiveBankClient(token: first, bank: bank, tokens: tokens, signer: device)
    case "hardened": client = HardenedBankClient(token: first, bank: bank, tokens: tokens, signer: device)
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.integer("account")) {
    case ("open", let account?): _ = try await client.statement(of: account)
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] { [] }
}
