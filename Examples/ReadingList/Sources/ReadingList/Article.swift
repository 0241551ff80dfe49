/// Something to read.
public struct Article: Codable, Hashable, Identifiable, Sendable {
  public let id: Int
  public let title: String

  public init(id: Int, title: String) {
    self.id = id
    self.title = title
  }
}

/// Where articles come from.
public protocol ArticleSource: Sendable {
  func articles() async throws -> [Article]
}
