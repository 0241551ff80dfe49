import Observation

/// Writes all or nothing, and only then lets the cache and the screen follow. When a write has failed, only
/// the disk knows whether it was committed: so the disk is asked. One refresh at a time.
@MainActor @Observable final class HardenedCatalogue: CatalogueModel {
  private(set) var screen: CatalogueScreen
  @ObservationIgnored private var refreshing: Task<Void, Never>?
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

  /// Joins the refresh that is under way, if there is one.
  func refresh() async {
    let task = refreshing ?? Task { await run() }  // guard: one-refresh => let task = Task { await run() }
    refreshing = task
    await task.value
  }

  private func run() async {
    defer { refreshing = nil }
    screen.phase = .loading
    do {
      let products = try await service.products()
      try await commit(products)
      screen.phase = .loaded
    } catch {
      screen.phase = .failed
    }
  }

  private func commit(_ products: [Product]) async throws {
    do {
      try await store.replaceAll(with: products)  // guard: one-transaction
      await follow(products)
    } catch {
      await follow(try await store.savedProducts())  // guard: ask-the-disk
      throw error
    }
  }

  private func follow(_ products: [Product]) async {
    await cache.replace(with: products)
    screen.products = products
  }
}

// Not guards: the one refresh that all wait for, and following what was committed, with the guards in
// between.
