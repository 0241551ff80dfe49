import Simulator

extension FakeNetwork: PhraseService {
  /// The n-th request gets the n-th edition.
  nonisolated func phrases() async throws -> [Phrase] {
    try await exchange("GET /phrases", showing: { .text($0[0].text) }) { request in
      [Phrase(id: "hello", text: "hello, edition \(request.number)")]
    }
  }
}

extension FakeStore: PhraseStore {
  nonisolated func save(_ phrases: [Phrase]) async throws {
    try await transaction(phrases.map { .set($0.id, $0) })
  }

  nonisolated func phrase(_ id: String) async throws -> Phrase? {
    try await read(id, as: Phrase.self, showing: { .text($0.text) })
  }
}

extension PhraseScreen {
  var shown: Trace.Value {
    switch self {
    case .empty: "empty"
    case .loading: "loading"
    case .shown(let phrase): .text(phrase.text)
    case .failed: "failed"
    }
  }
}
