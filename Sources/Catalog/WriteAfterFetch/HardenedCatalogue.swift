import Observation

/// Writes all or nothing, and only then lets the cache and the screen follow. When a write has failed, only
/// the disk knows whether it was committed: so the disk is asked. One refresh at a time, which ends with the last
/// who wants it.
@MainActor @Observable final class HardenedCatalogue: CatalogueModel {
  private(set) var screen: CatalogueScreen
  @ObservationIgnored private var refreshing: Task<Void, Never>?
  @ObservationIgnored private var askers = 0
  @ObservationIgnored private var settled = CatalogueScreen.Phase.idle
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
    askers += 1
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      Task { @MainActor in leave(task) }
    }
  }

  private func leave(_ task: Task<Void, Never>) {
    guard task == refreshing else { return }
    askers -= 1
    if askers == 0 { task.cancel() }
  }

  private func run() async {
    defer { (refreshing, askers) = (nil, 0) }
    screen.phase = .loading
    do {
      let products = try await Self.products(from: service)
      try Task.checkCancellation()
      try await commit(products)
      settled = .loaded
    } catch {
      if !Task.isCancelled { settled = .failed }
    }
    screen.phase = settled
  }

  private func commit(_ products: [Product]) async throws {
    do {
      try await Self.replaceAll(in: store, with: products)  // guard: one-transaction
      await follow(products)
    } catch {
      // In a task that nobody cancels.
      await follow(try await Task { try await Self.products(in: store) }.value)  // guard: ask-the-disk
      throw error
    }
  }

  @concurrent  // guard: off-the-main-actor
  private nonisolated static func products(from service: any CatalogueService) async throws -> [Product] {
    try await service.products()
  }

  @concurrent  // guard: off-the-main-actor
  private nonisolated static func products(in store: any CatalogueStore) async throws -> [Product] {
    try await store.savedProducts()
  }

  @concurrent  // guard: off-the-main-actor
  private nonisolated static func replaceAll(
    in store: any CatalogueStore, with products: [Product]
  ) async throws {
    try await store.replaceAll(with: products)
  }

  private func follow(_ products: [Product]) async {
    await cache.replace(with: products)
    screen.products = products
  }
}

// Not guards: the one refresh that all wait for, and following what was committed, with the guards in
// between.
