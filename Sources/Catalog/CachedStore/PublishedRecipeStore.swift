/// Changes the cache after the disk. But it is left at each `await`: what comes back last is what stays,
/// whatever was committed last.
actor PublishedRecipeStore: RecipeStore {
  private(set) var cache: [String: Recipe] = [:]
  private let archive: RecipeArchive

  init(archive: RecipeArchive) {
    self.archive = archive
  }

  func recipe(_ id: String) async throws -> Recipe? {
    if let cached = cache[id] { return cached }
    let recipe = try await archive.recipe(id)
    cache[id] = recipe
    return recipe
  }

  func save(_ recipe: Recipe) async throws {
    try await archive.write(recipe)
    cache[recipe.id] = recipe
  }
}
