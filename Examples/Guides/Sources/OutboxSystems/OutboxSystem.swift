import Outbox
public import Scenarios
import Simulator

// page: descriptor
/// The outbox as scenario files know it.
public final class OutboxSystem: System {
  public nonisolated static let checks = [
    SystemCheck(.atMostOnce(in: "shop", by: "POST /payments")),
    SystemCheck(NothingLost.invariant),
    .settlesWithin,
  ]

  public nonisolated static let descriptor = SystemDescriptor(
    "outbox", "Orders that are paid at once, or when the app comes back.",
    variants: [
      .init("first", "Forgets an order, and then pays it.", isSound: false),
      .init("careful", "Pays it with a key, and then forgets it."),
    ],
    actions: [
      .init("pay", "Taps pay.", arguments: [.integer("order", "Which one.", in: 1...2, default: 1)]),
      .init("come-back", "Brings the app to the foreground."),
      .relaunch,
    ],
    fakes: [
      .init(
        "network", "The way to the shop.",
        operations: [
          .init(
            "POST /payments", "Charges an order.", replies: ["ok", "offline"],
            faults: ["never", "before-commit", "after-commit", "arrives-twice"])
        ]),
      .init(
        "store", "The disk.",
        operations: [
          .init("read", "Reads what is not paid."),
          .init("write", "Keeps or forgets an order.", faults: ["never", "before-commit", "after-commit"]),
        ]),
    ],
    invariants: checks.map(\.descriptor))
  // page: end

  // page: system
  private let outbox: any Outbox
  private let book: Book
  private let store: FakeStore

  public init(_ variant: String, in world: World) throws {
    // What the server knows outlives the app's process, so a store of the world holds it.
    book = world.store("server", holding: ["book": Book()]).held("book", as: Book.self)!
    store = world.store()
    let shop = FakeShop(network: world.network(), book: book)
    let disk = FakeDisk(store: store)
    switch variant {
    case "first": outbox = FirstOutbox(shop: shop, disk: disk)
    case "careful": outbox = CarefulOutbox(shop: shop, disk: disk)
    default: throw UnknownName("variant", variant)
    }
  }

  public func perform(_ action: UserAction) async throws {
    switch action.name {
    case "pay": try await outbox.pay(action.integer("order") ?? 1)
    case "come-back": try await outbox.comeBack()
    default: throw UnknownName("action", action.name)
    }
  }

  public var observed: [Observed] {
    [
      Observed("shop", of: { [book] in book.paid }) { .list($0.map { .text("order \($0)") }) },
      Observed("outbox", in: store, of: { $0.held(as: Int.self) }) { .list($0.map { .text("order \($0)") }) },
    ]
  }
  // page: end
}
