import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Asks the newspaper through `URLSession`, which calls back on a queue of its own.
package struct HeadlinesSession {
  private let session = URLSession(configuration: .ephemeral)

  package init() {}

  func headlines(_ completion: @escaping @Sendable (Result<[Headline], Error>) -> Void) {
    guard let url = URL(string: "https://example.org/headlines") else { return }
    session.dataTask(with: url) { data, _, error in
      completion(
        data.map { .success([Headline(text: String(decoding: $0, as: UTF8.self))]) }
          ?? .failure(error ?? URLError(.unknown)))
    }.resume()
  }
}

extension HeadlinesScreen {
  /// What a reply shows.
  init(_ result: Result<[Headline], Error>) {
    switch result {
    case .success(let headlines): self = .loaded(headlines)
    case .failure: self = .failed
    }
  }
}
