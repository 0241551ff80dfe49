/// Changes the cache after the disk. But it is left at the `await`: what comes back last is what stays, whatever was committed
/// last. A read does not fill the cache, and to it an error is a recipe that is not there.
actor PublishedRecipeStore: RecipeStore {
  private(set) var cache: [String: Recipe] = [:]
  private let archive: RecipeArchive

  init(archive: RecipeArchive) {
    self.archive = archive
  }

  func recipe(_ id: String) async throws -> Recipe? {
    if let cached = cache[id] { return cached }
    return try? await archive.recipe(id)
  }

  func save(_ recipe: Recipe) async throws {
    try await archive.write(recipe)
    cache[recipe.id] = recipe
  }
}
