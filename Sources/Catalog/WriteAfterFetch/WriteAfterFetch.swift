import Scenarios
import Simulator

/// A catalogue that is fetched and saved, on a disk that may refuse.
final class WriteAfterFetch: System {
  nonisolated static let screen = SystemScreen(
    "screen", "phase", showing: ["GET /products": "products"], initially: "idle",
    waitsFor: ["GET /products", "transaction"])

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], stores: ["store"], requests: ["GET /products"],
    saving: .savedIsKept(
      on: "screen", "phase", showing: "products", not: ["idle", "loading", "failed"], in: "disk"))

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.allOrNothing(on: "disk", of: .answers(to: "GET /products"))),
      SystemCheck(.screenMatchesDisk("screen", "cache", "disk", part: "products")),
      SystemCheck(
        .successIsTrue(on: "screen", "phase", not: ["idle", "loading", "failed"], by: "transaction")),
      SystemCheck(.returnsWhenDone("refresh")),
      SystemCheck(.singleFlight("GET /products", "transaction")),
      SystemCheck(
        .rightWhenAlone { alone throws(LoneAction.Flaw) in
          let saved = [alone.before["disk"] ?? .none] + (alone.changes["disk"] ?? [])
          let shown = (alone.changes["screen"] ?? []).compactMap { $0["products"] }
          try alone.demand(
            (shown + (alone.changes["cache"] ?? [])).allSatisfy(saved.contains),
            "screen and cache show only what has been saved")
        }),
      .settlesWithin,
    ]

  nonisolated static let descriptor = SystemDescriptor(
    "write-after-fetch", "A catalogue that is fetched, saved and shown; the save may fail.",
    variants: [
      .init(
        "naive", "Shows what it has fetched before it is saved, product by product.",
        diagnoses: [
          "all-or-nothing": [.writtenInPart, .mixedResults],
          "screen-matches-disk": [.shownNotSaved, .outOfOrder],
        ], breaks: ["owners-apart", "asked-off-main"]),
      .init(
        "hardened", "Saves all or nothing, then shows; after a failure it asks the disk.",
        untested: ["store write"]),
    ],
    actions: [.init("refresh", "The user pulls to refresh."), .relaunch],
    fakes: [
      .init(
        "network", "The shop.",
        operations: [.init("GET /products", "Asks for the price list.", replies: ["ok", "offline"])]),
      .init(
        "store", "Where the catalogue is kept on the device.",
        operations: [
          .init("read", "Reads all products."),
          .init(
            "write", "Saves one product after the other.",
            faults: ["never", "before-commit", "after-commit", "torn"]),
          .init(
            "transaction", "Replaces all products at once.",
            faults: ["never", "before-commit", "after-commit"]),
        ]),
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "The second half of a refresh: what was fetched has to be saved, and the disk may fail "
        + "half-way.",
      sources: [
        "naive": ["NaiveCatalogue.swift"],
        "hardened": ["HardenedCatalogue.swift"],
      ],
      guards: [
        "off-the-main-actor": "The request would be made, and its answer taken in, on the main actor's time.",
        "one-refresh":
          "Two refreshes would save side by side, and cache and disk could follow different ones.",
        "one-transaction": "A disk that fails half-way would keep half of the new list.",
        "ask-the-disk": "After a failed write only the disk knows what it holds.",
      ]))

  private let model: any CatalogueModel
  private let cache: ProductCache
  private let store: FakeStore

  init(_ variant: String, in world: World) throws {
    let first = ["chair", "lamp", "table"].map { Product(id: $0, price: 100) }
    store = world.store(holding: Dictionary(uniqueKeysWithValues: first.map { ($0.id, $0) }))
    let old = store.held(as: Product.self)
    cache = ProductCache(old)
    let service = world.sessionNetwork()
    switch variant {
    case "naive": model = NaiveCatalogue(showing: old, cache: cache, service: service, store: store)
    case "hardened": model = HardenedCatalogue(showing: old, cache: cache, service: service, store: store)
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "refresh": await model.refresh()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [model] in model.screen }, shown: \.shown),
      Observed("cache", of: { [cache] in cache.assumeIsolated { $0.products } }, shown: \.shown),
      Observed("disk", in: store, of: { $0.held(as: Product.self) }, shown: \.shown),
    ]
  }
}
