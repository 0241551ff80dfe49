/// Changes the cache first and hopes for the disk.
actor NaiveRecipeStore: RecipeStore {
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
    cache[recipe.id] = recipe
    try await archive.write(recipe)
  }
}
