extension FakeStore {
  /// Keeps values under keys: the seam behind which a ``FakeStore`` stands.
  public protocol KeyValueStore: Sendable {
    /// The value under `key`; nil when there is none.
    func read<Content: Sendable>(_ key: String, as type: Content.Type) async throws -> Content?

    /// Everything of that type, by its key.
    func readAll<Content: Sendable>(as type: Content.Type) async throws -> [String: Content]

    /// Makes one change after the other. When it throws, some may have been made.
    func write(_ changes: [FakeStore.Change]) async throws

    /// Makes all changes or, when it throws before the commit, none.
    func transaction(_ changes: [FakeStore.Change]) async throws
  }
}

extension FakeStore.KeyValueStore {
  /// Keeps `content` under `key`.
  public func write(_ content: some Sendable, for key: String) async throws {
    try await write([.set(key, content)])
  }
}

extension FakeStore {
  /// One change of what a store holds.
  public enum Change: Sendable {
    /// Keeps a value under a key.
    case set(String, any Sendable)
    /// Forgets the key.
    case remove(String)

    /// What is changed.
    public var key: String {
      switch self {
      case .set(let key, _), .remove(let key): key
      }
    }

    /// What a line of a trace says when it is done.
    var past: String {
      switch self {
      case .set(let key, _): "wrote \(key)"
      case .remove(let key): "removed \(key)"
      }
    }
  }
}
