import Foundation

/// Saves of one recipe wait for each other, those of different ones do not. The cache follows each commit; it
/// forgets what a save that failed may have changed; and a read fills it only if no save has ended meanwhile.
actor HardenedRecipeStore: RecipeStore {
  private(set) var cache: [String: Recipe] = [:]
  /// The last save of each recipe that has ended.
  private var lastSaves: [String: UUID] = [:]
  /// Of each recipe that is being saved, who waits to save it.
  private var queues: [String: [CheckedContinuation<Void, Never>]] = [:]
  private let archive: RecipeArchive

  init(archive: RecipeArchive) {
    self.archive = archive
  }

  func recipe(_ id: String) async throws -> Recipe? {
    while true {
      if let cached = cache[id] { return cached }
      let saveBefore = lastSaves[id]  // guard: fill-only-if-unchanged
      let recipe = try await archive.recipe(id)
      guard lastSaves[id] == saveBefore else { continue }  // guard: fill-only-if-unchanged
      cache[id] = recipe
      return recipe
    }
  }

  func save(_ recipe: Recipe) async throws {
    await begin(recipe.id)  // guard: one-save-at-a-time
    defer { end(recipe.id) }  // guard: one-save-at-a-time
    try Task.checkCancellation()
    defer { lastSaves[recipe.id] = UUID() }  // guard: fill-only-if-unchanged
    do {
      try await archive.write(recipe)
      cache[recipe.id] = recipe
    } catch {
      cache[recipe.id] = nil  // guard: forget-on-failure
      throw error
    }
  }

  private func begin(_ id: String) async {
    guard queues[id] != nil else { return queues[id] = [] }
    await withCheckedContinuation { queues[id]?.append($0) }
  }

  private func end(_ id: String) {
    guard queues[id]?.isEmpty == false else { return queues[id] = nil }
    queues[id]?.removeFirst().resume()
  }
}

// Not guards: looking for a cancel after the wait for a turn; the queue that the guarded begin and end stand for, and passing the error on, which only the
// caller sees.
