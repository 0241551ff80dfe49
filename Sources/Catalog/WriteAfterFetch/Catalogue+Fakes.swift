import Simulator

extension FakeNetwork: CatalogueService {
  /// The n-th request gets the n-th price list.
  nonisolated func products() async throws -> [Product] {
    try await exchange("GET /products", showing: \.shown) { request in
      ["chair", "lamp", "table"].map { Product(id: $0, price: 100 + request.number) }
    }
  }
}

extension FakeStore: CatalogueStore {
  nonisolated func savedProducts() async throws -> [Product] {
    try await readAll(as: Product.self, showing: { $0.values.sorted { $0.id < $1.id }.shown })
      .values.sorted { $0.id < $1.id }
  }

  nonisolated func save(_ products: [Product]) async throws {
    try await write(products.map { .set($0.id, $0) })
  }

  nonisolated func replaceAll(with products: [Product]) async throws {
    try await transaction(products.map { .set($0.id, $0) })
  }
}

extension [Product] {
  var shown: Trace.Value { .list(map { .text("\($0.id) \($0.price)") }) }
}

extension CatalogueScreen {
  var shown: Trace.Value {
    .record([.init("phase", .text(phase.rawValue)), .init("products", products.shown)])
  }
}
