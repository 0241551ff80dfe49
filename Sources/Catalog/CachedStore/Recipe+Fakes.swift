import Simulator

extension FakeStore: RecipeDisk {
  nonisolated func record(_ id: String) async throws -> RecipeRecord? {
    try await read(id, as: RecipeRecord.self, showing: \.shown)
  }

  nonisolated func write(_ record: RecipeRecord) async throws {
    try await write(record, for: record.id)
  }
}

extension Recipe {
  var shown: Trace.Value { .text(text) }
}

extension RecipeRecord {
  var shown: Trace.Value { Recipe(decoding: self)?.shown ?? "illegible" }
}
