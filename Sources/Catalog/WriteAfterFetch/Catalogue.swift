/// Something on sale.
struct Product: Hashable, Sendable {
  let id: String
  let price: Int
}

/// What the catalogue screen shows.
struct CatalogueScreen: Hashable, Sendable {
  enum Phase: String, Hashable, Sendable {
    case idle, loading, loaded, failed
  }

  var phase = Phase.idle
  var products: [Product] = []
}

/// The model behind the screen.
@MainActor protocol CatalogueModel: AnyObject {
  var screen: CatalogueScreen { get }
  func refresh() async
}

/// What the other screens look products up in.
actor ProductCache {
  private(set) var products: [Product]

  init(_ products: [Product]) {
    self.products = products
  }

  func replace(with products: [Product]) {
    self.products = products
  }
}

// MARK: - Seams

protocol CatalogueService: Sendable {
  func products() async throws -> [Product]
}

protocol CatalogueStore: Sendable {
  func savedProducts() async throws -> [Product]
  /// Writes one product after the other.
  func save(_ products: [Product]) async throws
  /// Replaces all products or none.
  func replaceAll(with products: [Product]) async throws
}
