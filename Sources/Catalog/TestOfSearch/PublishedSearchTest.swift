/// Starts two searches in tasks, and asserts. It passes: at this moment neither has begun.
struct PublishedSearchTest: SearchTest {
  func run(_ search: any TestedSearch) throws {
    Task { await search.search(for: "a") }
    Task { await search.search(for: "ab") }
    try search.expectNothing(of: ["a…", "a!"])
  }
}
