import Observation

/// A recipe.
struct Recipe: Hashable, Sendable {
  let id: String
  let text: String
}

/// Where the app gets its recipes.
protocol RecipeStore: Actor {
  var cache: [String: Recipe] { get }
  /// The recipe; nil when there is none of that id.
  func recipe(_ id: String) async throws -> Recipe?
  func save(_ recipe: Recipe) async throws
}

/// A recipe as it is kept.
struct RecipeRecord: Hashable, Sendable {
  let id: String
  let bytes: [UInt8]
}

/// Encodes and decodes, off the caller's actor.
struct RecipeArchive: Sendable {
  struct Illegible: Error {}

  let disk: any RecipeDisk

  @concurrent func recipe(_ id: String) async throws -> Recipe? {
    guard let record = try await disk.record(id) else { return nil }
    guard let recipe = Recipe(decoding: record) else { throw Illegible() }
    return recipe
  }

  @concurrent func write(_ recipe: Recipe) async throws {
    let record = recipe.encoded
    try Task.checkCancellation()
    try await disk.write(record)
  }
}

/// The model behind the screen.
@MainActor @Observable final class RecipeModel {
  private(set) var recipe: Recipe?
  @ObservationIgnored private var opens = Loads<Recipe?>(nil)
  @ObservationIgnored private let store: any RecipeStore

  init(store: any RecipeStore) {
    self.store = store
  }

  func open(_ id: String) async throws {
    let open = opens.begin()
    do {
      let found = try await store.recipe(id)
      // The screen shows the recipe that was opened last, and not the one that is read last.
      if opens.end(open, with: .some(found)) { recipe = found }
    } catch {
      opens.end(open, with: nil)
      throw error
    }
  }

  func save(_ recipe: Recipe) async throws {
    try await store.save(recipe)
    if self.recipe?.id == recipe.id { self.recipe = recipe }
  }
}

// MARK: - Seams

protocol RecipeDisk: Sendable {
  func record(_ id: String) async throws -> RecipeRecord?
  func write(_ record: RecipeRecord) async throws
}

// MARK: - Coding

extension Recipe {
  init?(decoding record: RecipeRecord) {
    guard let text = String(validating: record.bytes, as: UTF8.self) else { return nil }
    self.init(id: record.id, text: text)
  }

  var encoded: RecipeRecord { RecipeRecord(id: id, bytes: Array(text.utf8)) }
}
