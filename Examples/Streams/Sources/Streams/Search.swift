import AsyncAlgorithms

/// Asks a server once the typing pauses for 300 ms.
public struct Search<Queries: AsyncSequence & Sendable>: Sendable where Queries.Element == String {
  private let queries: Queries
  private let ask: @Sendable (String) async -> String

  public init(_ queries: Queries, asking ask: @escaping @Sendable (String) async -> String) {
    self.queries = queries
    self.ask = ask
  }

  /// The answers, in the order of the questions.
  public func answers() async throws -> [String] {
    var answers: [String] = []
    for try await query in queries.debounce(for: .milliseconds(300)) { answers.append(await ask(query)) }
    return answers
  }
}
