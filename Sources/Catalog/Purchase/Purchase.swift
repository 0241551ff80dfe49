import Scenarios
import Simulator

/// Two orders that are paid for, with taps that come twice and answers that get lost.
final class Purchase: System {
  nonisolated static let boundaries = SystemBoundaries(
    screens: ["page 1", "page 2"], network: ["payments"], requests: ["POST /charge"],
    except: [
      .cancellationReachesTransport: "A charge that was sent may have been made: its receipt is waited for."
    ])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.atMostOnce(in: "ledger", by: "POST /charge")),
      SystemCheck(.singleFlight("POST /charge")),
      SystemCheck(.everyAskerAnswered("pay")),
      SystemCheck(.onlyAllowedErrors(allowing: ["alreadyPaid"])),
      SystemCheck(.secondPayerIsRefused(in: "ledger")),
      SystemCheck(.askedOnce("POST /charge")),
      SystemCheck(.all([1, 2].map { .cancelIsNotFailure(on: "page \($0)") })),
      SystemCheck(.retryWorks(of: "pay", allowing: ["alreadyPaid"])),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] {
    let reason = "Each order has a page, and a payment that fails or waits is seen on its own."
    return [
      .init(.failureIsShown(of: "POST /charge", on: "page 1"), reason),
      .init(.recoveryIsShown(of: "pay", on: "page 1", not: ["open", "paying", "failed"]), reason),
    ] + boundaries.exceptions
  }

  nonisolated static let descriptor = SystemDescriptor(
    "purchase", "Orders that are paid for, by users who tap twice on networks that lose answers.",
    variants: [
      .init(
        "naive", "Checks, awaits the charge, then remembers.",
        diagnoses: [
          "at-most-once": [.duplicateRequest, .checkThenAct, .repeatedEffect],
          "single-flight": [.duplicateRequest, .checkThenAct],
        ]),
      .init(
        "published", "Shares the charge in flight, but tries again with a new key.",
        diagnoses: ["at-most-once": [.repeatedEffect]]),
      .init(
        "at-once", "Awaits nothing between the check and the set: an article's `pay`, which asks no server.",
        untested: ["payments POST /charge", "asked-once", "offline", "single-flight"]),
      .init("hardened", "Shares the charge in flight; all charges of an order have one key."),
    ],
    actions: [
      .init(
        "pay", "The user taps the button.", arguments: [.integer("order", "Which of the two.", in: 1...2)])
    ],
    fakes: [
      .init(
        "payments", "The payment provider.",
        operations: [
          .init(
            "POST /charge", "Charges the customer.", replies: ["ok", "offline"],
            faults: ["never", "before-commit", "after-commit"])
        ])
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "The payment actor of an article, whose `pay` awaits nothing there and throws `alreadyPaid` at "
        + "who pays for what is paid. Apps await a charge between its check and its set.",
      sources: [
        "at-once": ["AtOnceCheckout.swift"],
        "naive": ["NaiveCheckout.swift"],
        "published": ["PublishedCheckout.swift"],
        "hardened": ["HardenedCheckout.swift"],
      ],
      guards: [
        "already-paid": "A second payer would get a receipt as if they had just paid.",
        "one-charge": "A second tap would find the order unpaid and charge again.",
        "one-key": "After a lost answer the retry would be another charge to the provider.",
      ]))

  private let models: [OrderModel]
  private let payments: FakePayments

  init(_ variant: String, in world: World) throws {
    payments = FakePayments(network: world.sessionNetwork("payments"))
    let checkout: any Checkout =
      switch variant {
      case "naive": NaiveCheckout(payments: payments)
      case "published": PublishedCheckout(payments: payments)
      case "at-once": AtOnceCheckout(payments: payments)
      case "hardened": HardenedCheckout(payments: payments)
      default: throw UnknownName("variant", variant)
      }
    models = (1...2).map { OrderModel(Order(number: $0), checkout: checkout) }
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.integer("order")) {
    case ("pay", let order?): try await models[order - 1].pay()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    models.enumerated().map { number, model in
      Observed("page \(number + 1)", of: { model.page }, shown: \.shown)
    } + [Observed("ledger", of: { [payments] in payments.ledger }) { .list($0.map(\.shown)) }]
  }
}
