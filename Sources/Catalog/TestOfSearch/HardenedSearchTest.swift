/// Starts two searches in tasks, waits for both, and asserts.
struct HardenedSearchTest: SearchTest {
  func run(_ search: any TestedSearch) async throws {
    let older = Task { await search.search(for: "a") }
    let newer = Task { await search.search(for: "ab") }
    await older.value
    await newer.value
    try search.expectNothing(of: ["a…", "a!"])
  }
}

// Not guards: that it waits. A test that does not is as green as before, and tests nothing, which is what the other variant shows.
