@MainActor public final class SearchModel {
  public private(set) var results: [String] = []
  private let search: @Sendable (String) async -> [String]

  public init(search: @escaping @Sendable (String) async -> [String]) { self.search = search }

  @discardableResult public func queryChanged(_ query: String) -> Task<Void, Never> {
    Task { results = await search(query) }
  }
}
