import Outbox
import Simulator
import Synchronization

/// What the shop has been paid, in order.
final class Book: Sendable {
  private let entries = Mutex<[(order: Int, key: String?)]>([])

  var paid: [Int] { entries.withLock { $0.map(\.order) } }

  func charge(_ order: Int, key: String?) {
    entries.withLock { entries in
      if key == nil || !entries.contains(where: { $0.key == key }) { entries.append((order, key)) }
    }
  }
}

// page: seams
struct FakeShop: Shop {
  let network: FakeNetwork
  let book: Book

  func pay(_ order: Int, key: String?) async throws {
    try await network.exchange("POST /payments", .text("order \(order)")) { _ in
      book.charge(order, key: key)
    }
  }
}

struct FakeDisk: OrderDisk {
  let store: FakeStore

  func orders() async throws -> [Int] { try await store.readAll(as: Int.self).values.sorted() }
  func keep(_ order: Int) async throws { try await store.write(order, for: "order \(order)") }
  func forget(_ order: Int) async throws { try await store.write([.remove("order \(order)")]) }
}
// page: end
