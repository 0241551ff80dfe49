import Observation

/// Shows what it has fetched at once, and saves it afterwards.
@MainActor @Observable final class NaiveCatalogue: CatalogueModel {
  private(set) var screen: CatalogueScreen
  @ObservationIgnored private let cache: ProductCache
  @ObservationIgnored private let service: any CatalogueService
  @ObservationIgnored private let store: any CatalogueStore

  init(
    showing products: [Product], cache: ProductCache, service: any CatalogueService, store: any CatalogueStore
  ) {
    screen = CatalogueScreen(products: products)
    self.cache = cache
    self.service = service
    self.store = store
  }

  func refresh() async {
    screen.phase = .loading
    do {
      let products = try await service.products()
      screen.products = products
      await cache.replace(with: products)
      try await store.save(products)
      screen.phase = .loaded
    } catch {
      screen.phase = .failed
    }
  }
}
